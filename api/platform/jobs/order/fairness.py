"""Whose turn it is. The queue claims in this order, and the queue positions that people see follow it.

Users are served in proportion to the weight of their plan. The user with the fewest running jobs for their weight
comes first, then one who was not served lately, then the one who has waited longest, where an hour at weight 4 counts
as four. Waiting time always grows, so the lightest plan gets its turn too: one job for every w jobs of users with
weight w.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState

LATELY_S = 3600.0
"""A user who was not served for this long counts as new."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user with waiting jobs. `served_s`: seconds since one of their jobs started, None if not lately."""

    user_id: uuid.UUID
    running: int
    weight: int
    served_s: float | None
    waiting_s: float

    @property
    def key(self) -> tuple[float, bool, float, uuid.UUID]:
        """The smallest key is next."""
        was_served = self.served_s is not None
        waits = self.served_s if self.served_s is not None else self.waiting_s
        return (self.running / self.weight, was_served, -waits * self.weight, self.user_id)


def weight_of(priority: int) -> int:
    """The share of the machine that a job's priority gets, compared with priority 0."""
    return 1 + max(0, priority)


def is_running() -> ColumnElement[bool]:
    return and_(Job.state == JobState.RUNNING, Job.lease_until >= clock.now())


async def turns(session: AsyncSession, waiting: ColumnElement[bool]) -> list[Turn]:
    """All users with a job that matches `waiting`, in the order of their turns."""
    result = await session.execute(
        select(Job.user_id, func.min(Job.created_at), func.max(Job.priority), clock.now())
        .where(waiting)
        .group_by(Job.user_id)
    )
    users = result.tuples().all()
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
