"""The decoded sound of a file where it is stored, for work that needs a few seconds of hours."""

from __future__ import annotations

import io
from collections.abc import Generator
from contextlib import contextmanager

from cluster.storage.objects import Storage
from pipelines.media.sound.pcm import PcmFile

_BUFFER_BYTES = 64 * 1024


@contextmanager
def stored_sound(storage: Storage, key: str) -> Generator[PcmFile]:
    """Random access to the object. Only what is read is fetched.

    Raises `FileNotFoundError`, `NotTranscribable` and `StorageUnavailable`.
    """
    path = storage.local_path(key)
    if path is not None:
        with PcmFile(path) as audio:
            yield audio
        return
    with io.BufferedReader(_StoredBytes(storage, key), _BUFFER_BYTES) as opened, PcmFile(opened) as audio:
        yield audio


class _StoredBytes(io.RawIOBase):
    """An object as a file: each read fetches its own bytes."""

    def __init__(self, storage: Storage, key: str) -> None:
        self._storage = storage
        self._key = key
        self._size = storage.size(key)
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        stop = min(self._at + len(buffer), self._size)
        if stop <= self._at:
            return 0
        data = b"".join(self._storage.read(self._key, self._at, stop))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)
