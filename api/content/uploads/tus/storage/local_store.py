"""Stores unfinished uploads as files in one folder, written at the recorded offset, never appended.

After a crash a file may be longer than its record says. The next request overwrites those bytes.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from api.content.uploads.tus.errors import DiskFull
from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.store import BytesMissing, Part, Stray
from cluster.storage.objects import Storage

COPY_BLOCK = 1024 * 1024 * 1024
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NO_KERNEL_COPY = frozenset({errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})


class LocalWriter:
    def __init__(self, folder: Path, descriptor: int, offset: int) -> None:
        self._folder = folder
        self._descriptor = descriptor
        self._start = offset
        self.written = offset

    def write(self, parts: Sequence[Part]) -> None:
        views = [memoryview(part) for part in parts]
        try:
            while views:
                count = os.pwritev(self._descriptor, views, self.written)
                self.written += count
                while views and count >= len(views[0]):
                    count -= len(views.pop(0))
                if count:
                    views[0] = views[0][count:]
        except OSError as error:
            raise _as_disk_full(error) from error

    def sync(self) -> None:
        try:
            os.fdatasync(self._descriptor)
        except OSError as error:
            raise _as_disk_full(error) from error
        if self._start == 0:
            # The first bytes: the directory entry must survive as well.
            _sync_folder(self._folder)

    def undo(self) -> None:
        self.written = self._start

    def close(self) -> None:
        os.close(self._descriptor)


class LocalStore:
    """`UploadStore` in `folder`. Each upload is a file named by its id; complete ones are renamed into `storage`."""

    def __init__(self, folder: Path, storage: Storage) -> None:
        self.folder = folder
        self._storage = storage
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, upload_id: str) -> Path:
        return self.folder / upload_id

    def open(self, record: TusRecord) -> LocalWriter:
        descriptor = self._open(record.id)
        found = os.fstat(descriptor).st_size
        if found < record.offset:
            os.close(descriptor)
            raise BytesMissing(found, None)
        return LocalWriter(self.folder, descriptor, record.offset)

    def concatenate(self, record: TusRecord, parts: Sequence[TusRecord]) -> None:
        target = self._open(record.id)
        try:
            os.ftruncate(target, 0)
            for part in parts:
                self._append(target, part)
            os.fsync(target)
            _sync_folder(self.folder)
        except OSError as error:
            raise _as_disk_full(error) from error
        finally:
            os.close(target)

    def _append(self, target: int, part: TusRecord) -> None:
        if part.offset == 0:
            return
        try:
            source = os.open(self.path(part.id), os.O_RDONLY)
        except FileNotFoundError:
            raise BytesMissing(0, None) from None
        try:
            if os.fstat(source).st_size < part.offset:
                raise BytesMissing(os.fstat(source).st_size, None)
            copied = 0
            while copied < part.offset:
                copied += _copy(source, target, copied, min(COPY_BLOCK, part.offset - copied))
        finally:
            os.close(source)

    def publish(self, record: TusRecord) -> bool:
        path = self.path(record.id)
        if record.offset == 0:
            os.close(self._open(record.id))
        if not path.is_file() or path.stat().st_size < record.offset:
            return False
        # A crash may have left bytes past the end.
        os.truncate(path, record.offset)
        self._storage.put(path, record.object_key)
        _sync_folder(self.folder)
        return True

    def discard(self, record: TusRecord) -> None:
        self.path(record.id).unlink(missing_ok=True)

    def strays(self, older_than_s: float) -> Iterator[Stray]:
        before = time.time() - older_than_s
        for entry in os.scandir(self.folder):
            # A file may be completed and moved meanwhile.
            with contextlib.suppress(FileNotFoundError):
                if entry.is_file() and entry.stat().st_mtime < before:
                    yield Stray(upload_id=entry.name.partition(".")[0], handle=entry.name)

    def remove_stray(self, stray: Stray) -> None:
        (self.folder / stray.handle).unlink(missing_ok=True)

    def free_bytes(self) -> int:
        return shutil.disk_usage(self.folder).free

    def _open(self, upload_id: str) -> int:
        try:
            return os.open(self.path(upload_id), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise _as_disk_full(error) from error


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _copy(source: int, target: int, offset: int, count: int) -> int:
    """Copy from `offset` of one file to the end of another inside the kernel, which shares blocks if it can."""
    try:
        return os.copy_file_range(source, target, count, offset_src=offset)
    except OSError as error:
        if error.errno not in _NO_KERNEL_COPY:
            raise
    return os.sendfile(target, source, offset, count)


def _as_disk_full(error: OSError) -> Exception:
    return DiskFull() if error.errno in _FULL else error
