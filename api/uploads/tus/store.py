"""Bytes of unfinished uploads on local disk: written at the recorded offset, never appended.

After a crash a file may hold more than its record says; those bytes are overwritten by whoever continues.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from api.uploads.tus.errors import DiskFull
from api.uploads.tus.locks import UploadLocks

if TYPE_CHECKING:
    from hashlib import _Hash

T = TypeVar("T")

WRITE_THREADS = 8
HASH_BLOCK = 4 * 1024 * 1024
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class UploadFile:
    """An open file of one upload. Its methods block: call them through `UploadStore.in_thread`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @property
    def size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def write(self, parts: Sequence[bytes], offset: int, digest: _Hash | None) -> None:
        """Put `parts` one after the other at `offset` and count them into `digest`. `DiskFull` when they do not fit."""
        views = [memoryview(part) for part in parts]
        try:
            while views:
                written = os.pwritev(self._descriptor, views, offset)
                offset += written
                while views and written >= len(views[0]):
                    written -= len(views.pop(0))
                if written:
                    views[0] = views[0][written:]
        except OSError as error:
            raise _as_disk_full(error) from error
        if digest is not None:
            for part in parts:
                digest.update(part)

    def sync(self) -> None:
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise _as_disk_full(error) from error

    def finish(self, length: int) -> None:
        """Cut off what a crash left past the end, and make size and bytes durable."""
        os.ftruncate(self._descriptor, length)
        os.fsync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)


class UploadStore:
    """One folder of unfinished uploads, each a file named by its id, and the threads that write them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._threads = ThreadPoolExecutor(WRITE_THREADS, thread_name_prefix="upload-write")

    def path(self, upload_id: str) -> Path:
        return self.folder / upload_id

    async def in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` in a thread. A cancelled caller still waits for it: a file is not closed under a running write."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise

    @contextmanager
    def open(self, upload_id: str) -> Iterator[UploadFile]:
        """The file of an upload, made when missing. `DiskFull` when there is no room even for its name."""
        try:
            opened = UploadFile(os.open(self.path(upload_id), os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise _as_disk_full(error) from error
        try:
            yield opened
        finally:
            opened.close()

    def create(self, upload_id: str) -> None:
        """Make the empty file and its folder entry durable."""
        with self.open(upload_id):
            self.sync_folder()

    def sync_folder(self) -> None:
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def discard(self, upload_id: str) -> None:
        """Remove bytes and lock files of an upload that is over. The caller holds its lock."""
        self.path(upload_id).unlink(missing_ok=True)
        self.locks.forget(upload_id)

    @property
    def locks(self) -> UploadLocks:
        return UploadLocks(self.folder)

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.folder).free


def discard_if_free(store: UploadStore, upload_id: str) -> None:
    """Remove an upload that is over, now; when somebody is writing it, they find out and do it."""
    with store.locks.free(upload_id) as lock:
        if lock is not None:
            store.discard(upload_id)


def sha256_of(path: Path) -> str:
    """The hexadecimal SHA-256 of a file, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as opened:
        while block := opened.read(HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _as_disk_full(error: OSError) -> Exception:
    return DiskFull() if error.errno in _FULL else error
