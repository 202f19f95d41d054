"""Values that were read from the database, kept until something is committed."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

from api.platform.db.commits import Mark

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Unchanged(Generic[K, V]):
    """Values by key, all of one mark. Beyond `limit`, measured by the sizes given, the oldest go."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._mark: Mark | None = None
        self._values: OrderedDict[K, tuple[V, float, int]] = OrderedDict()
        self._size = 0

    def get(self, mark: Mark | None, key: K) -> tuple[V, float] | None:
        """The value and its age in seconds, if it was read at this mark."""
        if mark is None or mark != self._mark or (found := self._values.get(key)) is None:
            return None
        value, read_at, _ = found
        return value, time.monotonic() - read_at

    def put(self, before: Mark | None, after: Mark | None, key: K, value: V, *, size: int = 1) -> None:
        """Keep a value, if the marks before and after its reading are equal."""
        if before is None or before != after:
            return
        if before != self._mark:
            self._mark = before
            self._values.clear()
            self._size = 0
        self.drop(key)
        self._values[key] = value, time.monotonic(), size
        self._size += size
        while self._size > self._limit:
            self.drop(next(iter(self._values)))

    def drop(self, key: K) -> None:
        found = self._values.pop(key, None)
        if found is not None:
            self._size -= found[2]
