"""Locks across the processes of one machine: a `flock`, which the kernel releases when its holder dies.

A request that finds the lock held leaves a note beside it, which the holder's process reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from api.content.uploads.tus.locks import TRY_EVERY_S, UploadLock

READ_NOTES_EVERY_S = 0.1


class FileLocks:
    """`UploadLocks` as files in `folder`. They exist only while a lock is held or wanted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._notes = folder / "wanted"
        self._notes.mkdir(parents=True, exist_ok=True)
        self._held: dict[str, UploadLock] = {}
        self._reader: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def hold(self, upload_id: str, *, wait_s: float = 0.0) -> AsyncIterator[UploadLock | None]:
        descriptor = self._try(upload_id)
        if descriptor is None and wait_s > 0:
            descriptor = await self._wait(upload_id, wait_s)
        if descriptor is None:
            yield None
            return
        lock = self._held[upload_id] = UploadLock()
        (self._notes / upload_id).unlink(missing_ok=True)
        self._read_notes()
        try:
            yield lock
        finally:
            del self._held[upload_id]
            # Unlink while we hold it: a process that has opened this file then sees that its name is gone.
            (self._folder / upload_id).unlink(missing_ok=True)
            os.close(descriptor)

    def _try(self, upload_id: str) -> int | None:
        """The descriptor that carries the lock, or None at once if it is held."""
        path = self._folder / upload_id
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                return None
            with contextlib.suppress(FileNotFoundError):
                if path.stat().st_ino == os.fstat(descriptor).st_ino:
                    return descriptor
            os.close(descriptor)

    async def _wait(self, upload_id: str, wait_s: float) -> int | None:
        until = time.monotonic() + wait_s
        while time.monotonic() < until:
            if upload_id in self._held:
                self._held[upload_id].wanted.set()
            else:
                (self._notes / upload_id).touch()
            await asyncio.sleep(TRY_EVERY_S)
            descriptor = self._try(upload_id)
            if descriptor is not None:
                return descriptor
        (self._notes / upload_id).unlink(missing_ok=True)
        return None

    def _read_notes(self) -> None:
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._reading())

    async def _reading(self) -> None:
        """Look at the notes for every lock of this process, while it holds any."""
        while self._held:
            for name in os.listdir(self._notes):
                if name in self._held:
                    self._held[name].wanted.set()
            await asyncio.sleep(READ_NOTES_EVERY_S)
