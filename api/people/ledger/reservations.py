"""What is reserved for a job and has not been settled or released."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, case, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.ledger.accounts import lock_account
from api.people.ledger.models import Funding, Movement, MovementKind, Reason
from api.people.plans.minutes import Grant
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState

_K = MovementKind


def open_sign() -> ColumnElement[int]:
    """How a movement's seconds count for what is reserved."""
    return case((Movement.kind == _K.RESERVE, 1), (Movement.kind.in_((_K.SETTLE, _K.RELEASE)), -1), else_=0)


def open_seconds() -> ColumnElement[int]:
    """Reserved minus settled and released, over the movements of a group."""
    return func.sum(open_sign() * Movement.seconds)


@dataclass(frozen=True, slots=True)
class Part:
    """Seconds of one job that one grant, or one kind of funding, pays for."""

    payer_id: uuid.UUID
    funding: Funding
    grant_id: uuid.UUID | None
    price_minute: int
    seconds: int
    work: str
    file_id: uuid.UUID | None
    team_id: uuid.UUID | None
    user_id: uuid.UUID | None

    def movement(self, kind: MovementKind, seconds: int, **more: object) -> Movement:
        return Movement(
            kind=kind,
            seconds=seconds,
            payer_id=self.payer_id,
            funding=self.funding,
            grant_id=self.grant_id,
            price_minute=self.price_minute,
            work=self.work,
            file_id=self.file_id,
            team_id=self.team_id,
            user_id=self.user_id,
            **more,
        )


_PART = (
    Movement.payer_id,
    Movement.funding,
    Movement.grant_id,
    Movement.price_minute,
    Movement.work,
    Movement.file_id,
    Movement.team_id,
    Movement.user_id,
)


async def open_parts(session: AsyncSession, job_id: uuid.UUID) -> list[Part]:
    """The open reservation of a job, in the order in which its parts were taken."""
    return await _parts(session, job_id, open_seconds())


async def settled_parts(session: AsyncSession, job_id: uuid.UUID) -> list[Part]:
    """What a job was charged and has not got back."""
    sign = case((Movement.kind == _K.SETTLE, 1), (Movement.kind == _K.REFUND, -1), else_=0)
    return await _parts(session, job_id, func.sum(sign * Movement.seconds))


async def _parts(session: AsyncSession, job_id: uuid.UUID, seconds: ColumnElement[int]) -> list[Part]:
    await session.flush()
    statement = (
        select(*_PART, seconds.label("seconds"))
        .where(Movement.job_id == job_id)
        .group_by(*_PART)
        .having(seconds > 0)
        .order_by(func.min(Movement.id))
    )
    rows = (await session.execute(statement)).all()
    return [Part(**row._asdict() | {"seconds": int(row.seconds)}) for row in rows]


async def close(session: AsyncSession, job_id: uuid.UUID, seconds: int | None, reason: Reason | None) -> int:
    """End a job's reservation: `seconds` of it become usage (None for all), the rest is released. Returns the usage.

    Does nothing for a job without one, so ending twice is harmless.
    """
    parts = await open_parts(session, job_id)
    if not parts:
        return 0
    account = await lock_account(session, parts[0].payer_id)
    parts = await open_parts(session, job_id)
    rest = sum(part.seconds for part in parts) if seconds is None else seconds
    used = 0
    for part in parts:
        spent = min(part.seconds, rest)
        released = part.seconds - spent
        rest -= spent
        used += spent
        if spent:
            session.add(part.movement(_K.SETTLE, spent, at=account.now, job_id=job_id))
        if released:
            session.add(part.movement(_K.RELEASE, released, at=account.now, job_id=job_id, reason=reason))
        await session.flush()
        if part.grant_id is not None:
            await change_grant(session, part.grant_id, available=released, held=-part.seconds, spent=spent)
    return used


async def change_grant(
    session: AsyncSession, grant_id: uuid.UUID, *, available: int = 0, held: int = 0, spent: int = 0
) -> None:
    await session.execute(
        update(Grant)
        .where(Grant.id == grant_id)
        .values(available=Grant.available + available, held=Grant.held + held, spent=Grant.spent + spent)
        .execution_options(synchronize_session=False)
    )


async def failed_by_us(session: AsyncSession, file_id: uuid.UUID | None, work: str) -> bool:
    """Whether the last run of this work on the file failed by our fault."""
    if file_id is None:
        return False
    statement = (
        select(Movement.reason)
        .where(Movement.file_id == file_id, Movement.work == work, Movement.kind.in_((_K.SETTLE, _K.RELEASE)))
        .order_by(Movement.id.desc())
        .limit(1)
    )
    return (await session.scalar(statement)) == Reason.FAULT


async def abandoned_jobs(session: AsyncSession, payer_id: uuid.UUID) -> Sequence[uuid.UUID]:
    """Jobs with an open reservation that ended without their handler, or whose row is gone with its user."""
    is_open = (
        select(Movement.job_id)
        .where(Movement.payer_id == payer_id, Movement.job_id.is_not(None))
        .group_by(Movement.job_id)
        .having(open_seconds() > 0)
        .subquery()
    )
    statement = (
        select(is_open.c.job_id)
        .outerjoin(Job, Job.id == is_open.c.job_id)
        .where(Job.id.is_(None) | Job.state.not_in((JobState.READY, JobState.RUNNING)))
    )
    return [job_id for job_id in await session.scalars(statement) if job_id is not None]
