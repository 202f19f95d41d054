"""Writes the bytes of one request to a bucket: full parts at once, the rest at each `sync`.

An unnamed file on this machine holds the part that is not full yet, so that many concurrent uploads use disk space
instead of memory. Nothing durable depends on it: after `sync`, the bytes are in the bucket.
"""

from __future__ import annotations

import errno
import io
import os
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from api.content.uploads.tus.errors import DiskFull
from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.s3_state import S3State, key_of, piece_key
from api.content.uploads.tus.storage.store import Part, StoreState
from cluster.storage.objects import StorageUnavailable
from cluster.storage.s3 import Bucket, NoSuchUpload

MAX_PIECES = 16
"""The most objects of one tail. More are merged, so that tiny requests do not leave thousands."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


class S3Writer:
    def __init__(self, bucket: Bucket, scratch: Path, record: TusRecord, state: S3State) -> None:
        self.written = record.offset
        self.state = state
        self._bucket = bucket
        self._record = record
        self._first = record.state
        self._first_tail = {name for name, _ in state.tail}
        self._recorded_stale = state.stale
        self._saved = record.offset
        """The bytes before this offset are in the bucket."""
        self._base = record.offset - sum(size for _, size in state.tail)
        """The offset at which the incomplete part starts."""
        self._file: io.FileIO = tempfile.TemporaryFile(dir=scratch, buffering=0)  # noqa: SIM115 - closed by `close`
        self._has_tail = not state.tail
        """Whether the file also holds the bytes of the tail, not only those after it."""

    def write(self, parts: Sequence[Part]) -> None:
        for part in parts:
            rest = memoryview(part)
            while rest:
                fits = rest[: self._base + self.state.part_size - self.written]
                self._keep(fits, self.written)
                self.written += len(fits)
                rest = rest[len(fits) :]
                if self.written - self._base == self.state.part_size:
                    self.flush()

    def sync(self) -> StoreState:
        self._drop_stale()
        if self.written == self._record.length and self.written > self._base:
            self.flush()
        elif self.written > self._saved:
            self._save_tail()
        self._recorded_stale = self.state.stale
        return self.state.as_json()

    def undo(self) -> StoreState | None:
        return self._first

    def close(self) -> None:
        self._file.close()

    def flush(self) -> None:
        """Send the tail and the bytes after it as a part."""
        try:
            self._flush()
        except (FileNotFoundError, NoSuchUpload) as error:
            # Removed since this writer was opened: the upload ended or continued elsewhere. A retry finds out which.
            raise StorageUnavailable(f"{key_of(self._record)}: {error!r}") from error

    def _flush(self) -> None:
        self._load_tail()
        key = key_of(self._record)
        if self.state.multipart is None:
            with self._bucket.errors(key):
                begun = self._bucket.client.create_multipart_upload(**self._bucket.location(key))
            self.state = replace(self.state, multipart=str(begun["UploadId"]))
        etag = upload_part(self._bucket, key, self.state, Slice(self._file.fileno(), 0, self.written - self._base))
        self.state = self.state.with_part(etag)
        self._base = self._saved = self.written
        self._file.truncate(0)
        self._has_tail = True

    def _drop_stale(self) -> None:
        """Remove the objects that the last recorded state lists as stale. A new call means that it was recorded.

        The tail of the first state stays for `undo`.
        """
        free = [name for name in self._recorded_stale if name not in self._first_tail]
        self._bucket.delete([piece_key(self._record.id, name) for name in free])
        self.state = replace(self.state, stale=tuple(name for name in self.state.stale if name not in free))

    def _save_tail(self) -> None:
        is_long = len(self.state.tail) >= MAX_PIECES
        if is_long:
            self._load_tail()
        start = self._base if is_long else self._saved
        piece = (uuid.uuid4().hex, self.written - start)
        key = piece_key(self._record.id, piece[0])
        with self._bucket.errors(key):
            body = Slice(self._file.fileno(), start - self._base, piece[1])
            self._bucket.client.put_object(**self._bucket.location(key), Body=body)
        if is_long:
            stale = self.state.stale + tuple(name for name, _ in self.state.tail)
            self.state = replace(self.state, tail=(piece,), stale=stale)
        else:
            self.state = replace(self.state, tail=(*self.state.tail, piece))
        self._saved = self.written

    def _load_tail(self) -> None:
        """Fetch the bytes that earlier requests left in the tail."""
        if self._has_tail:
            return
        offset = self._base
        for name, size in self.state.tail:
            if offset >= self._record.offset:
                break
            key = piece_key(self._record.id, name)
            with self._bucket.errors(key):
                content = self._bucket.client.get_object(**self._bucket.location(key))["Body"].read()
            self._keep(memoryview(content), offset)
            offset += size
        self._has_tail = True

    def _keep(self, content: memoryview, offset: int) -> None:
        try:
            while content:
                count = os.pwrite(self._file.fileno(), content, offset - self._base)
                content, offset = content[count:], offset + count
        except OSError as error:
            if error.errno in _FULL:
                raise DiskFull from error
            raise


def upload_part(bucket: Bucket, key: str, state: S3State, body: Any) -> str:
    """Send the part that follows those of `state`, and return its entity tag."""
    with bucket.errors(key):
        sent = bucket.client.upload_part(
            **bucket.location(key), UploadId=state.multipart, PartNumber=state.parts + 1, Body=body
        )
    return str(sent["ETag"])


class Slice(io.RawIOBase):
    """`size` bytes of an open file from `start`, with an independent position."""

    def __init__(self, descriptor: int, start: int, size: int) -> None:
        self._descriptor = descriptor
        self._start = start
        self._size = size
        self._at = 0

    def readinto(self, buffer: Any) -> int:
        room = memoryview(buffer)[: self._size - self._at]
        count = os.preadv(self._descriptor, [room], self._start + self._at) if room else 0
        self._at += count
        return count

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True
