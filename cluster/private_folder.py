"""Folders that only their owner can access."""

from __future__ import annotations

import os
import stat
from pathlib import Path

OPEN_TO_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class NotPrivate(RuntimeError):
    """The folder belongs to another user or is not a folder. The text is a sentence that says what to do."""


def make_private(folder: Path) -> Path:
    """Create the folder with mode 0700, or remove other users' rights from an existing one; return the folder.

    Raises `NotPrivate` if another user owns it or it is a link, because that user could put anything there.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise NotPrivate(f"{folder} is not a folder of this user. Remove it, or set TMPDIR.") from None
        if found.st_mode & OPEN_TO_OTHERS:
            folder.chmod(stat.S_IMODE(found.st_mode) & ~OPEN_TO_OTHERS)
    return folder


def close_to_others(folder: Path) -> None:
    """Remove other users' rights from a folder of ours; leave another user's folder alone."""
    found = folder.stat()
    if found.st_uid == os.geteuid() and found.st_mode & OPEN_TO_OTHERS:
        folder.chmod(stat.S_IMODE(found.st_mode) & ~OPEN_TO_OTHERS)
