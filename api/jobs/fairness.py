"""Whose turn it is. The queue claims in this order, and the place in line that people see is counted in it.

A user is served in proportion to the weight of their plan: first who has the fewest jobs running for their weight,
then who was not served lately, then who waits longest, where an hour of a weight of 4 counts as four. Waiting always
grows, so the lightest plan comes up too: between heavy users of weight w it starts one job for each w of theirs.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import clock
from api.jobs.models import Job
from api.jobs.states import JobState

LATELY_S = 3600.0
"""Who was not served for so long stands where somebody new stands."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user with waiting jobs. `served_s`: seconds since a job of theirs was started, None when not lately."""

    user_id: uuid.UUID
    running: int
    weight: int
    served_s: float | None
    waiting_s: float

    @property
    def key(self) -> tuple[float, bool, float, uuid.UUID]:
        """The smallest is next."""
        was_served = self.served_s is not None
        waits = self.served_s if self.served_s is not None else self.waiting_s
        return (self.running / self.weight, was_served, -waits * self.weight, self.user_id)


def weight_of(priority: int) -> int:
    """How much of the machine a job's priority asks for, beside a job of priority 0."""
    return 1 + max(0, priority)


def is_running() -> ColumnElement[bool]:
    return and_(Job.state == JobState.RUNNING, Job.lease_until >= clock.now())


async def turns(session: AsyncSession, waiting: ColumnElement[bool]) -> list[Turn]:
    """Everybody who has a job that fits `waiting`, in the order of their turns."""
    found = await session.execute(
        select(Job.user_id, func.min(Job.created_at), func.max(Job.priority), clock.now())
        .where(waiting)
        .group_by(Job.user_id)
    )
    users = found.tuples().all()
    served = await _served(session, [user_id for user_id, *_ in users]) if len(users) > 1 else {}
    return sorted(
        (
            _turn(user_id, oldest, priority, now, served.get(user_id, (0, None)))
            for user_id, oldest, priority, now in users
        ),
        key=lambda turn: turn.key,
    )


def _turn(
    user_id: uuid.UUID, oldest: datetime, priority: int, now: datetime, served: tuple[int, datetime | None]
) -> Turn:
    running, last = served
    served_s = None if last is None else max(0.0, (now - last).total_seconds())
    return Turn(user_id, running, weight_of(priority), served_s, (now - oldest).total_seconds())


async def _served(session: AsyncSession, user_ids: list[uuid.UUID]) -> dict[uuid.UUID, tuple[int, datetime | None]]:
    rows = await session.execute(
        select(Job.user_id, func.sum(case((is_running(), 1), else_=0)), func.max(Job.started_at))
        .where(Job.user_id.in_(user_ids), or_(Job.started_at >= clock.now(-LATELY_S), is_running()))
        .group_by(Job.user_id)
    )
    return {user_id: (int(running), last) for user_id, running, last in rows.tuples()}
