"""Stored objects: whole files under a key, written once, visible only when complete. `open_storage` says where."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from cluster.settings import ClusterSettings

CHUNK_BYTES = 256 * 1024

_KEY = re.compile(r"^[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)*/[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9]{1,8})?$")


class BadKey(ValueError):
    """A key that is not of the form `folder/.../name.ext` with letters, digits, `_` and `-`."""


class StorageUnavailable(Exception):
    """Storage does not answer, or refuses us. Nothing is said about the object; the same call may work later."""


class Storage(Protocol):
    """Where objects live. Keys are made by the server, never from a user's text.

    Every method blocks and may be called from any thread. One that needs the object raises `FileNotFoundError` when
    there is none, and where objects are on other machines any may raise `StorageUnavailable`.
    """

    def put(self, source: Path, key: str) -> int:
        """Move the file at `source` to `key`, durably; its size in bytes. An old object is replaced in one step."""
        ...

    def local_copy(self, key: str, folder: Path) -> AbstractContextManager[Path]:
        """A path that holds the object's bytes while the context is open: the object itself, else a copy in `folder`.

        Read it only.
        """
        ...

    def local_path(self, key: str) -> Path | None:
        """Where the object lies when it is a file of this machine; None when objects are elsewhere."""
        ...

    def link(self, key: str, *, media_type: str, disposition: str | None) -> str | None:
        """An address from which a browser can fetch the object for some hours, answered with these headers.

        None when browsers do not reach storage. Does not look whether the object is there.
        """
        ...

    def read(self, key: str, start: int = 0, stop: int | None = None) -> Generator[bytes]:
        """The bytes from `start` up to `stop`, piece by piece. The object is opened before this returns."""
        ...

    def exists(self, key: str) -> bool: ...

    def size(self, key: str) -> int: ...

    def delete(self, key: str) -> None:
        """Remove the object; no error when there is none."""
        ...

    def delete_prefix(self, prefix: str) -> None:
        """Remove every object below the folder `prefix`, and what half-finished writes left there."""
        ...


def open_storage(settings: ClusterSettings) -> Storage:
    """The storage of an installation, as its settings name it."""
    if settings.storage_url is None:
        return LocalStorage(settings.storage_root)
    # Imported here: it brings Amazon's client, which takes half a second to load.
    from cluster.storage_s3 import S3Storage, bucket_of

    return S3Storage(bucket_of(settings))


def checked(key: str) -> str:
    """The key itself. Raises `BadKey`."""
    if not _KEY.match(key):
        raise BadKey(f"Not an object key: {key!r}")
    return key


class LocalStorage:
    """Objects as files below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def _path(self, key: str) -> Path:
        return self.root / checked(key)

    def put(self, source: Path, key: str) -> int:
        target = self._path(key)
        _make_folder(target.parent)
        with source.open("rb") as opened:
            os.fsync(opened.fileno())
        try:
            source.replace(target)
        except OSError:
            # Another file system: copy beside the target first, so that the object still appears in one step.
            beside = target.with_name(f"{target.name}.{os.getpid()}.partial")
            try:
                shutil.copyfile(source, beside)
                with beside.open("rb") as copied:
                    os.fsync(copied.fileno())
                beside.replace(target)
            finally:
                # What did not fit on a full disk would only keep it full.
                beside.unlink(missing_ok=True)
            source.unlink()
        _fsync_folder(target.parent)
        return target.stat().st_size

    def open_path(self, key: str) -> Path:
        path = self._path(key)
        if not path.is_file():
            raise FileNotFoundError(key)
        return path

    @contextmanager
    def local_copy(self, key: str, folder: Path) -> Iterator[Path]:
        yield self.open_path(key)

    def local_path(self, key: str) -> Path:
        return self.open_path(key)

    def link(self, key: str, *, media_type: str, disposition: str | None) -> None:
        return None

    def read(self, key: str, start: int = 0, stop: int | None = None) -> Generator[bytes]:
        opened = self.open_path(key).open("rb")
        opened.seek(start)
        return _chunks(opened, None if stop is None else stop - start)

    def exists(self, key: str) -> bool:
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        return self.open_path(key).stat().st_size

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def delete_prefix(self, prefix: str) -> None:
        folder = self._path(f"{prefix}/x").parent
        shutil.rmtree(folder, ignore_errors=True)


def _chunks(opened: BinaryIO, count: int | None) -> Generator[bytes]:
    with opened:
        while chunk := opened.read(CHUNK_BYTES if count is None else min(CHUNK_BYTES, count)):
            count = None if count is None else count - len(chunk)
            yield chunk


def _make_folder(folder: Path) -> None:
    """Make the folder and those above it, each durable in its parent, so that a power cut takes no new object."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        _fsync_folder(path.parent)


def _fsync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
