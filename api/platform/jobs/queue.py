"""The jobs table as a queue: enqueue, claim, renew, hold, end. A fence guards every write of an attempt."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, or_, select, true, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.jobs import history
from api.platform.jobs.limits import LEASE_S
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.order import fairness
from api.platform.jobs.states import JobState
from api.platform.jobs.transitions import JOB_STATE
from cluster.logs.context import current_request_id
from pipelines.messages.json_message import JsonMessage


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one attempt to write its job, until another attempt has a higher fence."""

    job_id: uuid.UUID
    fence: int


class LeaseLost(Exception):
    """Another attempt has the job, or it has ended or is gone. This attempt's work must not show."""


def _insert(session: AsyncSession, table: type[Job] | type[JobChunk]) -> Any:
    """An INSERT that supports ON CONFLICT in the session's database."""
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
    priority: int = 0,
    parent_id: uuid.UUID | None = None,
    delay_s: float = 0,
) -> Job:
    """Enqueue a job in the caller's transaction and return it, or the job that already has this `dedup_key`.

    `file_id` is the file the work belongs to, by which it is cancelled and removed; None where there is none.
    `work` is how much there is to do (see `Job.work`). `fairness.py` says what the `priority` does.
    It is not claimed before `delay_s` have passed.
    """
    # The session may not have written the rows that the job serves.
    await session.flush()
    inserted = await session.scalars(
        _insert(session, Job)
        .values(
            kind=kind,
            subject_id=subject_id,
            file_id=file_id,
            user_id=user_id,
            dedup_key=dedup_key,
            request=request.to_json(),
            work=work,
            priority=priority,
            parent_id=parent_id,
            request_id=current_request_id(),
            run_after=clock.now(delay_s),
        )
        .on_conflict_do_nothing(index_elements=[Job.dedup_key])
        .returning(Job)
    )
    job: Job | None = inserted.one_or_none()
    if job is not None:
        return job
    return (await session.scalars(select(Job).where(Job.dedup_key == dedup_key))).one()


def claimable(kinds: Collection[str] | None) -> ColumnElement[bool]:
    """Jobs that wait and are due, or run under a lease that ended because their dispatcher is dead or cut off.

    Of all kinds where `kinds` is None. Excludes a cancelled job with such a lease: `endings.cancel_orphans` ends it
    without a new start.
    """
    return and_(
        true() if kinds is None else Job.kind.in_(kinds),
        or_(
            and_(Job.state == JobState.READY, Job.run_after <= clock.now()),
            and_(Job.state == JobState.RUNNING, Job.lease_until < clock.now(), Job.cancel_requested.is_(False)),
        ),
    )


async def claim(
    session: AsyncSession,
    owner: str,
    kinds: Collection[str] | None = None,
    *,
    fits: Callable[[str], bool] = lambda _kind: True,
) -> Job | None:
    """Claim the next job in turn: it is then running, with attempt and fence one higher and a new lease.

    Fair between users (`fairness.py`) however many jobs each has waiting; within one user by priority, then age.
    Returns None if nothing is due or the next job's kind does not fit. Smaller jobs do not overtake that one, or it
    might wait forever.
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
    if job is None or not fits(job.kind):
        return None
    await session.execute(
        JOB_STATE.update_to(JobState.RUNNING)
        .where(Job.id == job.id)
        .values(
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
    """Extend the leases that still hold, even if they expired unnoticed, and return them.

    The lease of a cancelled job still counts but is not extended, so that others end the job if this process cannot.
    """
    held = set()
    until = case((Job.cancel_requested, Job.lease_until), else_=clock.now(LEASE_S))
    for lease in leases:
        statement = update(Job).where(*_guard(lease)).values(lease_until=until).returning(Job.id)
        if (await session.execute(statement)).one_or_none() is not None:
            held.add(lease)
    return held


async def hold(session: AsyncSession, lease: Lease) -> tuple[Job, datetime]:
    """Return the job, locked until the transaction ends, and the database's time. Raises `LeaseLost`."""
    statement = (
        select(Job, clock.now()).where(*_guard(lease)).with_for_update(of=Job).execution_options(populate_existing=True)
    )
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        raise LeaseLost
    job, now = row
    return job, now


async def is_begun_again(session: AsyncSession, job: Job) -> bool:
    """Whether a person restarted the work of a cancelled job, as another job, before it ended."""
    other = select(Job.id).where(
        Job.subject_id == job.subject_id,
        Job.kind == job.kind,
        Job.id != job.id,
        Job.state.in_((JobState.READY, JobState.RUNNING)),
    )
    return await session.scalar(other.limit(1)) is not None


async def keep_chunk(session: AsyncSession, lease: Lease, key: str, payload: dict[str, Any]) -> bool:
    """Store a finished part of a held job. Returns False if an earlier attempt stored it."""
    statement = (
        _insert(session, JobChunk)
        .values(job_id=lease.job_id, key=key, fence=lease.fence, payload=payload)
        .on_conflict_do_nothing(index_elements=[JobChunk.job_id, JobChunk.key])
        .returning(JobChunk.id)
    )
    return (await session.execute(statement)).one_or_none() is not None


async def chunks(session: AsyncSession, job_id: uuid.UUID) -> dict[str, dict[str, Any]]:
    """The finished parts of a job by key, from all attempts."""
    rows = await session.execute(select(JobChunk.key, JobChunk.payload).where(JobChunk.job_id == job_id))
    return {key: payload for key, payload in rows.tuples()}


def move(job: Job, state: JobState) -> None:
    """Change the state of a row that this transaction holds, and clear what only a running job has."""
    JOB_STATE.move(job, state)
    job.owner = None
    job.lease_until = None
    job.eta_at = None


def _guard(lease: Lease) -> tuple[ColumnElement[bool], ...]:
    return (Job.id == lease.job_id, Job.fence == lease.fence, Job.state == JobState.RUNNING)
