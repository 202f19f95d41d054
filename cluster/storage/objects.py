"""Stored objects: whole files under a key, written once, visible only when complete."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

CHUNK_BYTES = 256 * 1024

_KEY = re.compile(r"^[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)*/[A-Za-z0-9_\-]+(?:\.[A-Za-z0-9]{1,8})?$")


class BadKey(ValueError):
    """A key that is not of the form `folder/.../name.ext` with letters, digits, `_` and `-`."""


class StorageUnavailable(Exception):
    """Storage does not answer or refuses us. This says nothing about the object; the same call may work later."""


class Storage(Protocol):
    """Where objects live. The server makes the keys, never from a user's text.

    Every method blocks and may be called from any thread. A method that needs the object raises `FileNotFoundError` if
    it is missing. If objects are on other machines, any method may raise `StorageUnavailable`.
    """

    def put(self, source: Path, key: str) -> int:
        """Move the file at `source` to `key`, durably and in one step; return its size in bytes."""
        ...

    def local_copy(self, key: str, folder: Path) -> AbstractContextManager[Path]:
        """A path to the object's bytes while the context is open: the object itself, or a copy in `folder`.

        Only read it.
        """
        ...

    def local_path(self, key: str) -> Path | None:
        """The object's path if it is a file on this machine, else None."""
        ...

    def link(self, key: str, *, media_type: str, disposition: str | None) -> str | None:
        """An address from which a browser can fetch the object for some hours, with these headers in the response.

        None if browsers cannot reach storage. Does not check that the object exists.
        """
        ...

    def read(self, key: str, start: int = 0, stop: int | None = None) -> Generator[bytes]:
        """Yield the bytes from `start` up to `stop` in pieces. The object is opened before this returns."""
        ...

    def exists(self, key: str) -> bool: ...

    def size(self, key: str) -> int: ...

    def keys(self) -> Iterator[str]:
        """Every key. Objects that come or go meanwhile may be in or not."""
        ...

    def delete(self, key: str) -> None:
        """Remove the object; no error if it is missing."""
        ...

    def delete_prefix(self, prefix: str) -> None:
        """Remove every object below the folder `prefix` and the remains of half-finished writes."""
        ...


def is_key(text: str) -> bool:
    return _KEY.match(text) is not None


def require_key(key: str) -> str:
    """Return the key unchanged. Raises `BadKey`."""
    if not _KEY.match(key):
        raise BadKey(f"Not an object key: {key!r}")
    return key
