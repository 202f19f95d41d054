"""Whether an attempt still gets further, and what people are told when it does not."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs import queue
from api.jobs.handlers import Handler
from api.jobs.limits import STALL_GIVE_UP_S, STALL_NOTICE_S
from api.jobs.outbox import add_event
from api.jobs.queue import Lease
from pipelines.flows.messages import Chunk, Progress


class Verdict(StrEnum):
    MOVES = "moves"
    TELL = "tell"
    GIVE_UP = "give_up"


class Stall:
    """The time since an attempt last got further: another phase, more done, or a finished part."""

    def __init__(self) -> None:
        self.told = False
        self._moved_at = time.monotonic()
        self._where: tuple[str, int] = ("", 0)

    def moved(self, value: Progress | Chunk) -> bool:
        """Take note of a value; whether it is further than the one before."""
        if isinstance(value, Progress):
            where = (value.phase, value.done)
            if where == self._where:
                return False
            self._where = where
        self._moved_at = time.monotonic()
        return True

    def verdict(self) -> Verdict:
        still = time.monotonic() - self._moved_at
        if still > STALL_GIVE_UP_S:
            return Verdict.GIVE_UP
        return Verdict.TELL if still > STALL_NOTICE_S and not self.told else Verdict.MOVES


async def tell(session: AsyncSession, handler: Handler[Any], lease: Lease, stall: Stall) -> None:
    """Tell the browsers of a held job that it gets no further. The page itself reads `Job.progress_at`."""
    job, _ = await queue.hold(session, lease)
    if stall.verdict() is Verdict.MOVES:
        # It moved while this waited for the row: telling now would never be taken back.
        return
    stall.told = True
    job.eta_at = None
    standing = Progress(job.phase, job.progress_done, job.progress_total, "")
    for notice in await handler.on_progress(session, job, standing):
        add_event(session, notice.with_fields(stalled=True))
