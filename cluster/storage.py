"""Stored objects: whole files under a key, written once, visible only when complete."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Protocol

_KEY = re.compile(r"^[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)*/[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9]{1,8})?$")


class BadKey(ValueError):
    """A key that is not of the form `folder/.../name.ext` with letters, digits, `_` and `-`."""


class Storage(Protocol):
    """Where objects live. Keys are made by the server, never from a user's text."""

    def put(self, source: Path, key: str) -> int:
        """Move the file at `source` to `key`, durably; its size in bytes. An old object is replaced in one step."""
        ...

    def open_path(self, key: str) -> Path:
        """A local path that holds the object's bytes; `FileNotFoundError` when there is none."""
        ...

    def exists(self, key: str) -> bool: ...

    def size(self, key: str) -> int: ...

    def delete(self, key: str) -> None:
        """Remove the object; no error when there is none."""
        ...

    def delete_prefix(self, prefix: str) -> None:
        """Remove every object below the folder `prefix`."""
        ...


class LocalStorage:
    """Objects as files below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    def _path(self, key: str) -> Path:
        if not _KEY.match(key):
            raise BadKey(f"Not an object key: {key!r}")
        return self.root / key

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
            shutil.copyfile(source, beside)
            with beside.open("rb") as copied:
                os.fsync(copied.fileno())
            beside.replace(target)
            source.unlink()
        _fsync_folder(target.parent)
        return target.stat().st_size

    def open_path(self, key: str) -> Path:
        path = self._path(key)
        if not path.is_file():
            raise FileNotFoundError(key)
        return path

    def exists(self, key: str) -> bool:
        return self._path(key).is_file()

    def size(self, key: str) -> int:
        return self.open_path(key).stat().st_size

    def delete(self, key: str) -> None:
        self._path(key).unlink(missing_ok=True)

    def delete_prefix(self, prefix: str) -> None:
        folder = self._path(f"{prefix}/x").parent
        shutil.rmtree(folder, ignore_errors=True)


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
