"""The data folder of an installation: writable, and used by one supervisor at a time."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster.private_folder import close_to_others
from cluster.wording.message import Wording

NOT_WRITABLE = Wording(
    "data_folder.not_writable",
    "The data folder {folder} cannot be written ({failure}). Change its permissions, or choose another with "
    "SAGASCRIPT_DATA_DIR.",
)
TAKEN = Wording(
    "data_folder.taken",
    "Sagascript already runs on the data folder {folder} (process {process}). Stop that one, or choose another folder "
    "with SAGASCRIPT_DATA_DIR.",
)


class CannotStart(RuntimeError):
    """The installation cannot start here. The text is a sentence that says why and what to do."""


def require_writable(folder: Path) -> None:
    """Create `folder` if needed, close it to other users and write a test file. Raises `CannotStart`."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        close_to_others(folder)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".write-test-"):
            pass
    except OSError as error:
        raise CannotStart(NOT_WRITABLE(folder=str(folder), failure=str(error.strerror))) from None


@contextmanager
def claim(folder: Path) -> Iterator[None]:
    """Lock the folder for this process; the system unlocks it when we die. Raises `CannotStart` if it is taken."""
    require_writable(folder)
    lock = _lock_of(folder)
    lock.parent.mkdir(exist_ok=True)
    with lock.open("a+") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            opened.seek(0)
            holder = opened.read().strip() or "unknown"
            raise CannotStart(TAKEN(folder=str(folder), process=holder)) from None
        opened.truncate(0)
        opened.write(str(os.getpid()))
        opened.flush()
        yield


def supervisor_of(folder: Path) -> int | None:
    """The process that holds the folder; None while nobody does, or this process may not look."""
    try:
        with _lock_of(folder).open("r") as opened:
            try:
                fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = opened.read().strip()
                return int(holder) if holder.isdigit() else None
    except OSError:
        return None
    return None


def _lock_of(folder: Path) -> Path:
    return folder / "run" / "supervisor.lock"
