"""Detect attempts that make no progress, and notify people."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs import queue
from api.platform.jobs.handlers import Handler
from api.platform.jobs.limits import STALL_GIVE_UP_S, STALL_NOTICE_S
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import Lease
from pipelines.messages.attempt import Chunk, Progress


class Verdict(StrEnum):
    MOVES = "moves"
    STALLED = "stalled"
    STUCK = "stuck"
    """Stalled for so long that it is ended."""


class Stall:
    """The time since an attempt last made progress: a new phase, more work done or a finished part."""

    def __init__(self) -> None:
        self.is_announced = False
        self._moved_at = time.monotonic()
        self._position: tuple[str, int] = ("", 0)

    def moved(self, value: Progress | Chunk) -> bool:
        """Record a value; return whether it shows progress since the one before."""
        if isinstance(value, Progress):
            position = (value.phase, value.done)
            if position == self._position:
                return False
            self._position = position
        self._moved_at = time.monotonic()
        return True

    def verdict(self) -> Verdict:
        still = time.monotonic() - self._moved_at
        if still > STALL_GIVE_UP_S:
            return Verdict.STUCK
        return Verdict.STALLED if still > STALL_NOTICE_S and not self.is_announced else Verdict.MOVES


async def announce(session: AsyncSession, handler: Handler[Any], lease: Lease, stall: Stall) -> None:
    """Send the event that a held job has stalled. A page that loads later reads `Job.progress_at`."""
    job, _ = await queue.hold(session, lease)
    if stall.verdict() is Verdict.MOVES:
        # It moved while we waited for the row, and nothing would take the announcement back.
        return
    stall.is_announced = True
    job.eta_at = None
    latest = Progress(job.phase, job.progress_done, job.progress_total, "")
    for notice in await handler.on_progress(session, job, latest):
        add_event(session, notice.with_fields(stalled=True))
