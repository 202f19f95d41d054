"""How fast recent jobs of each kind ran, in work per second, to estimate waiting times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.jobs.models import JobAttempt
from api.platform.jobs.states import AttemptEnd

RECENT_S = 24 * 3600.0
MOST = 20
LEAST = 2
"""A single job may be an exception."""


@dataclass(frozen=True, slots=True)
class Rates:
    """Units of work (`Job.work`) per second by kind, without kinds that have too few recent jobs."""

    per_second: Mapping[str, float]

    def expected_s(self, kind: str, work: int) -> float | None:
        """Seconds that this much work takes, None if unknown."""
        return _seconds(work, self.per_second.get(kind))


async def recent(session: AsyncSession, kinds: Iterable[str]) -> Rates:
    found = {kind: await _rate(session, kind) for kind in kinds}
    return Rates({kind: rate for kind, rate in found.items() if rate is not None})


async def expected_s(session: AsyncSession, kind: str, work: int) -> float | None:
    """`Rates.expected_s` of one kind, with one statement."""
    return _seconds(work, await _rate(session, kind))


def _seconds(work: int, rate: float | None) -> float | None:
    return work / rate if rate and work > 0 else None


async def _rate(session: AsyncSession, kind: str) -> float | None:
    """The rate over the last jobs done in one attempt. With models, only those of the model that did the latest job."""
    statement = (
        select(JobAttempt.work, JobAttempt.engine, JobAttempt.started_at, JobAttempt.ended_at)
        .where(
            JobAttempt.kind == kind,
            JobAttempt.ending == AttemptEnd.DONE,
            JobAttempt.ended_at > clock.now(-RECENT_S),
            JobAttempt.number == 1,
            JobAttempt.work > 0,
        )
        .order_by(JobAttempt.ended_at.desc())
        .limit(MOST)
    )
    rows = (await session.execute(statement)).tuples().all()
    same = [
        (work, (ended - started).total_seconds())
        for work, engine, started, ended in rows
        if ended is not None and engine == rows[0][1]
    ]
    seconds = sum(taken for _, taken in same)
    return sum(work for work, _ in same) / seconds if len(same) >= LEAST and seconds > 0 else None
