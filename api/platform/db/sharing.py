"""Work whose result all callers share that asked before it began."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

SLOW_S = 1.0
"""After this a caller no longer waits for the run before its own, which may hang on a dead connection."""


class SharedRun(Generic[T]):
    """Runs `work` for everybody who asked while it was busy.

    A caller never gets the result of a run that began before it asked, so the result is as fresh as its own would be.
    """

    def __init__(self, work: Callable[[], Awaitable[T]]) -> None:
        self._work = work
        self._newest: asyncio.Task[T] | None = None

    async def result(self) -> T:
        """Raises what `work` raises. A cancelled caller leaves the run to the others."""
        before = self._newest
        if before is not None and not before.done():
            await asyncio.wait([before], timeout=SLOW_S)
        if self._newest is before or self._newest is None:
            self._newest = asyncio.create_task(self._run())
            self._newest.add_done_callback(_note_error)
        return await asyncio.shield(self._newest)

    async def _run(self) -> T:
        return await self._work()


class SharedReads(Generic[K, V]):
    """Values by key, read with one statement for everybody who asked while the one before was running.

    As with `SharedRun`, nobody gets what was read before they asked.
    """

    def __init__(self, most: int) -> None:
        """`most` is how many keys one statement has."""
        self._most = most
        self._asked: dict[K, asyncio.Future[V | None]] = {}
        self._reader: asyncio.Task[None] | None = None
        self._began = 0.0

    async def result(self, key: K, read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> V | None:
        """The value of this key, None without one. All callers give the same `read`. Raises what it raises."""
        future = self._asked.get(key)
        if future is None:
            future = self._asked[key] = asyncio.get_running_loop().create_future()
            future.add_done_callback(_note_error)
        is_busy = self._reader is not None and not self._reader.done()
        if not is_busy or time.monotonic() - self._began > SLOW_S:
            self._began = time.monotonic()
            self._reader = asyncio.create_task(self._read_all(read))
        return await asyncio.shield(future)

    async def settle(self) -> None:
        """Wait until nobody waits for a value, at most `SLOW_S`."""
        if self._reader is not None and not self._reader.done():
            await asyncio.wait([self._reader], timeout=SLOW_S)

    async def _read_all(self, read: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]) -> None:
        while batch := {key: self._asked.pop(key) for key in [*islice(self._asked, self._most)]}:
            self._began = time.monotonic()
            try:
                found = await read([*batch])
            except Exception as error:
                for future in batch.values():
                    future.set_exception(error)
            else:
                for key, future in batch.items():
                    future.set_result(found.get(key))


def _note_error(finished: asyncio.Future[T]) -> None:
    """The callers raise it. Without this, asyncio reports the error of a run whose callers are all gone."""
    if not finished.cancelled():
        finished.exception()
