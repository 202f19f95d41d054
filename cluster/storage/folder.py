"""Objects as files below one folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cluster.storage.objects import CHUNK_BYTES, is_key, require_key


class LocalStorage:
    """Objects as files below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def _path(self, key: str) -> Path:
        return self.root / require_key(key)

    def put(self, source: Path, key: str) -> int:
        target = self._path(key)
        _make_folder(target.parent)
        with source.open("rb") as opened:
            os.fsync(opened.fileno())
        try:
            source.replace(target)
        except OSError:
            # On another file system: copy next to the target first, so that the object still appears in one step.
            beside = target.with_name(f"{target.name}.{os.getpid()}.partial")
            try:
                shutil.copyfile(source, beside)
                with beside.open("rb") as copied:
                    os.fsync(copied.fileno())
                beside.replace(target)
            finally:
                # On a full disk a partial copy would only keep it full.
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

    def keys(self) -> Iterator[str]:
        for folder, _, names in os.walk(self.root):
            below = Path(folder).relative_to(self.root)
            yield from (key for key in ((below / name).as_posix() for name in names) if is_key(key))

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
    """Create the folder and its parents durably, so that a power cut loses no new object."""
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
