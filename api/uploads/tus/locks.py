"""One writer for an upload, across processes: a `flock` that the kernel gives back when its holder dies.

A newcomer that meets a held lock is refused and leaves a note. A holder whose sender has gone silent reads the note and
lets go, so that a client with a new connection is not kept out by its own dead one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from api.uploads.tus.errors import locked


class UploadLock:
    """Held from construction. It guards live uploads only: whoever gets it must read the record again."""

    def __init__(self, descriptor: int, note: Path) -> None:
        self._descriptor = descriptor
        self._note = note
        self._note.unlink(missing_ok=True)

    @property
    def is_wanted(self) -> bool:
        return self._note.exists()

    def release(self) -> None:
        os.close(self._descriptor)


class UploadLocks:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, upload_id: str) -> Path:
        return self.folder / f"{upload_id}.lock"

    def _note(self, upload_id: str) -> Path:
        return self.folder / f"{upload_id}.wanted"

    def try_take(self, upload_id: str) -> UploadLock | None:
        """The lock, or None at once when another holds it."""
        descriptor = os.open(self._path(upload_id), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            self._note(upload_id).touch()
            return None
        return UploadLock(descriptor, self._note(upload_id))

    @contextmanager
    def take(self, upload_id: str) -> Iterator[UploadLock]:
        """As a context. Raises 423 when another holds it."""
        lock = self.try_take(upload_id)
        if lock is None:
            raise locked()
        try:
            yield lock
        finally:
            lock.release()

    @contextmanager
    def free(self, upload_id: str) -> Iterator[UploadLock | None]:
        """As a context: the lock, or None when another holds it."""
        lock = self.try_take(upload_id)
        try:
            yield lock
        finally:
            if lock is not None:
                lock.release()

    def forget(self, upload_id: str) -> None:
        """Remove the files of an upload that is over."""
        self._path(upload_id).unlink(missing_ok=True)
        self._note(upload_id).unlink(missing_ok=True)
