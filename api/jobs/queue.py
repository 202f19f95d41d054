"""The jobs table as a queue: put in, claim, renew, hold, end. Every write of an attempt is guarded by its fence."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import clock
from api.jobs import fairness, history
from api.jobs.limits import LEASE_S
from api.jobs.models import Job, JobChunk
from api.jobs.priorities import priority_of
from api.jobs.states import ALLOWED, JobKind, JobState
from pipelines.flows.json_message import JsonMessage


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one attempt to write about its job, until another attempt has a higher fence."""

    job_id: uuid.UUID
    fence: int


class LeaseLost(Exception):
    """The job was given to another attempt, or ended, or is gone. The attempt's work must not show."""


class NotAllowed(Exception):
    """A move between two states that the table of moves does not know."""


def _insert(session: AsyncSession, table: type[Job] | type[JobChunk]) -> Any:
    """An INSERT that knows ON CONFLICT in the session's database."""
    dialect = session.get_bind().dialect.name
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


async def enqueue(
    session: AsyncSession,
    *,
    kind: str,
    subject_id: uuid.UUID,
    file_id: uuid.UUID | None,
    user_id: uuid.UUID,
    dedup_key: str,
    request: JsonMessage,
    work: int = 0,
    priority: int | None = None,
    parent_id: uuid.UUID | None = None,
) -> Job:
    """Put a job in, in the caller's transaction; the job that already has this `dedup_key` when there is one.

    `file_id` is the file the work belongs to, by which it is cancelled and removed; None where there is none.
    `work` is how much there is to do (see `Job.work`); the priority is that of the user's plan unless it is given.
    """
    # The rows the job serves may still be unwritten in the session.
    await session.flush()
    made = await session.scalars(
        _insert(session, Job)
        .values(
            kind=kind,
            subject_id=subject_id,
            file_id=file_id,
            user_id=user_id,
            dedup_key=dedup_key,
            request=request.to_json(),
            state=JobState.READY,
            work=work,
            priority=await priority_of(session, user_id) if priority is None else priority,
            parent_id=parent_id,
            run_after=clock.now(),
        )
        .on_conflict_do_nothing(index_elements=[Job.dedup_key])
        .returning(Job)
    )
    job: Job | None = made.one_or_none()
    if job is not None:
        return job
    return (await session.scalars(select(Job).where(Job.dedup_key == dedup_key))).one()


def claimable(kinds: Collection[str]) -> ColumnElement[bool]:
    """Waiting and due, or running under a lease that ended: its dispatcher is dead or cut off.

    A cancelled one of those is not begun again to be ended: the sweep ends it (`endings.cancel_orphans`).
    """
    return and_(
        Job.kind.in_(kinds),
        or_(
            and_(Job.state == JobState.READY, Job.run_after <= clock.now()),
            and_(Job.state == JobState.RUNNING, Job.lease_until < clock.now(), Job.cancel_requested.is_(False)),
        ),
    )


async def claim(session: AsyncSession, owner: str, kinds: Collection[str] = tuple(JobKind)) -> Job | None:
    """Take the job whose turn it is: state running, attempt and fence one higher, a fresh lease.

    Fair between users (`fairness.py`), whatever their number of waiting jobs; within one user by priority, then age.
    """
    job = None
    for turn in await fairness.turns(session, claimable(kinds)):
        statement = (
            select(Job)
            .where(Job.user_id == turn.user_id, claimable(kinds))
            .order_by(Job.priority.desc(), Job.run_after, Job.created_at, Job.id)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        job = (await session.scalars(statement)).one_or_none()
        if job is not None:
            break
    if job is None:
        return None
    await session.execute(
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=JobState.RUNNING,
            owner=owner,
            attempt=Job.attempt + 1,
            fence=Job.fence + 1,
            started_at=clock.now(),
            lease_until=clock.now(LEASE_S),
            progress=0,
            progress_done=0,
            progress_total=0,
            progress_at=clock.now(),
            eta_at=None,
            phase="",
        )
        .execution_options(synchronize_session=False)
    )
    await session.refresh(job)
    assert job.started_at is not None
    await history.begun(session, job, job.started_at)
    return job


async def renew(session: AsyncSession, leases: Iterable[Lease]) -> set[Lease]:
    """Lengthen the leases that still hold, also those that ended unnoticed; which ones that were.

    A cancelled job's lease is held and not lengthened: should ending it fail here, others end it.
    """
    held = set()
    until = case((Job.cancel_requested, Job.lease_until), else_=clock.now(LEASE_S))
    for lease in leases:
        statement = update(Job).where(*_guard(lease)).values(lease_until=until).returning(Job.id)
        if (await session.execute(statement)).one_or_none() is not None:
            held.add(lease)
    return held


async def hold(session: AsyncSession, lease: Lease) -> tuple[Job, datetime]:
    """The job, locked until the transaction ends, and the database's time. `LeaseLost` when it is not ours any more."""
    statement = (
        select(Job, clock.now()).where(*_guard(lease)).with_for_update(of=Job).execution_options(populate_existing=True)
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise LeaseLost
    job, now = row
    return job, now


async def is_begun_again(session: AsyncSession, job: Job) -> bool:
    """Whether a person started the work of a cancelled job again, as another job, before it had ended."""
    other = select(Job.id).where(
        Job.subject_id == job.subject_id,
        Job.kind == job.kind,
        Job.id != job.id,
        Job.state.in_((JobState.READY, JobState.RUNNING)),
    )
    return await session.scalar(other.limit(1)) is not None


async def keep_chunk(session: AsyncSession, lease: Lease, key: str, payload: dict[str, Any]) -> bool:
    """Keep a finished part of a held job; False when an earlier attempt had kept it."""
    statement = (
        _insert(session, JobChunk)
        .values(job_id=lease.job_id, key=key, fence=lease.fence, payload=payload)
        .on_conflict_do_nothing(index_elements=[JobChunk.job_id, JobChunk.key])
        .returning(JobChunk.id)
    )
    return (await session.execute(statement)).one_or_none() is not None


async def chunks(session: AsyncSession, job_id: uuid.UUID) -> dict[str, dict[str, Any]]:
    """The finished parts of a job by key, whichever attempt made them."""
    rows = await session.execute(select(JobChunk.key, JobChunk.payload).where(JobChunk.job_id == job_id))
    return {key: payload for key, payload in rows.tuples()}


def move(job: Job, state: JobState) -> None:
    """Change the state of a row that this transaction holds. A job that is not running has no owner and no lease."""
    if state not in ALLOWED[JobState(job.state)]:
        raise NotAllowed(f"A job cannot go from {job.state} to {state}.")
    job.state = state
    job.owner = None
    job.lease_until = None
    job.eta_at = None


def _guard(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    return (Job.id == lease.job_id, Job.fence == lease.fence, Job.state == JobState.RUNNING)
