"""Work whose result all callers share that asked before it began."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")

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


def _note_error(task: asyncio.Task[T]) -> None:
    """The callers raise it. Without this, asyncio reports the error of a run whose callers are all gone."""
    if not task.cancelled():
        task.exception()
