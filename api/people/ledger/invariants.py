"""What must be true of the ledger at any time. Tests run it over random sequences, campaigns after every fault."""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.models import Movement, MovementKind
from api.people.ledger.reservations import open_seconds
from api.people.plans.minutes import Grant
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState

_K = MovementKind
EFFECTS: dict[str, dict[MovementKind, int]] = {
    "available": {_K.RESERVE: -1, _K.RELEASE: 1, _K.REFUND: 1, _K.EXPIRE: -1, _K.CORRECT: 1},
    "held": {_K.RESERVE: 1, _K.SETTLE: -1, _K.RELEASE: -1},
    "spent": {_K.SETTLE: 1, _K.REFUND: -1},
    "expired": {_K.EXPIRE: 1},
}
"""What each movement does to the columns of its grant."""


async def violations(session: AsyncSession) -> list[str]:
    """Everything in the ledger that does not add up, as sentences; empty when all is well."""
    return [*await _grants_off(session), *await _jobs_off(session), *await _held_for_ended(session)]


def _sum(effect: dict[MovementKind, int]) -> ColumnElement[int]:
    sign = case(*((Movement.kind == kind, factor) for kind, factor in effect.items()), else_=0)
    return func.coalesce(func.sum(sign * Movement.seconds), 0)


async def _grants_off(session: AsyncSession) -> list[str]:
    """Each column of a grant is the sum of its movements, none is negative, and its movements are its payer's."""
    others = func.coalesce(func.sum(case((Movement.payer_id != Grant.payer_id, 1), else_=0)), 0)
    statement = (
        select(Grant, *(_sum(effect) for effect in EFFECTS.values()), others)
        .outerjoin(Movement, Movement.grant_id == Grant.id)
        .group_by(Grant.id)
        .execution_options(populate_existing=True)
    )
    found = []
    for grant, *sums, foreign in (await session.execute(statement)).tuples():
        for name, moved in zip(EFFECTS, sums, strict=True):
            expected = int(moved) + (grant.seconds if name == "available" else 0)
            value = getattr(grant, name)
            if value != expected or value < 0:
                found.append(f"Grant {grant.id}: {name} is {value}, its movements make {expected}.")
        if foreign:
            found.append(f"Grant {grant.id} paid for {foreign} movements of somebody else.")
    return found


async def _jobs_off(session: AsyncSession) -> list[str]:
    """No job settles or releases more than it reserved, or gets back more than it was charged."""
    charged = _sum({_K.SETTLE: 1, _K.REFUND: -1})
    statement = (
        select(Movement.job_id, Movement.grant_id, open_seconds(), charged)
        .where(Movement.job_id.is_not(None))
        .group_by(Movement.job_id, Movement.grant_id, Movement.funding)
        .having((open_seconds() < 0) | (charged < 0))
    )
    rows = (await session.execute(statement)).tuples()
    return [f"Job {job}: {held} s of grant {grant} held, {spent} s charged." for job, grant, held, spent in rows]


async def _held_for_ended(session: AsyncSession) -> list[str]:
    """No job that has ended still holds seconds."""
    statement = (
        select(Movement.job_id, open_seconds())
        .join(Job, Job.id == Movement.job_id)
        .where(Job.state.not_in((JobState.READY, JobState.RUNNING)))
        .group_by(Movement.job_id)
        .having(open_seconds() != 0)
    )
    rows = (await session.execute(statement)).tuples()
    return [f"Job {job} has ended and holds {held} s." for job, held in rows]
