"""What people do to jobs: stop and restart them."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.jobs import history, queue
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.limits import CANCEL_LEASE_S
from api.platform.jobs.models import Job
from api.platform.jobs.states import AttemptEnd, JobState
from cluster.logs.context import current_request_id


def of_files(file_ids: Collection[uuid.UUID], kind: str | None = None) -> ColumnElement[bool]:
    """The jobs of these files, whichever row they serve; only of `kind` if given."""
    own = Job.file_id.in_(file_ids)
    return own if kind is None else and_(own, Job.kind == kind)


def of_subject(subject_id: uuid.UUID, kind: str) -> ColumnElement[bool]:
    return and_(Job.subject_id == subject_id, Job.kind == kind)


async def hold_unfinished(session: AsyncSession, which: ColumnElement[bool]) -> None:
    """Lock the unfinished jobs among these, including those that one of them queues while it ends."""
    statement = (
        select(Job.id)
        .where(which, Job.state.in_((JobState.READY, JobState.RUNNING)))
        .order_by(Job.id)
        .with_for_update()
    )
    await session.execute(statement)
    await session.execute(statement)


async def cancel(session: AsyncSession, types: JobTypes, which: ColumnElement[bool]) -> int:
    """Stop the unfinished jobs among these and return how many there were.

    A waiting job, or one whose owner's lease has ended, is cancelled in this transaction, together with its handler's
    changes. A running job is flagged, and its dispatcher stops it within a second. Its lease is shortened, so that
    another dispatcher ends it after `CANCEL_LEASE_S` if the owner is dead.

    On return, the changes of a job that ended just now are committed, but rows read earlier do not show them.
    """
    statement = (
        select(Job, clock.now())
        .where(which, Job.kind.in_(tuple(types)), Job.state.in_((JobState.READY, JobState.RUNNING)))
        .order_by(Job.id)
        .with_for_update(of=Job)
    )
    # This waits for a job that is just ending and may have queued others; the second query sees those.
    await session.execute(statement)
    rows = (await session.execute(statement)).tuples().all()
    ended = []
    for job, now in rows:
        job.cancel_requested = True
        until = now + timedelta(seconds=CANCEL_LEASE_S)
        is_held = job.lease_until is not None and job.lease_until >= now
        if job.state == JobState.RUNNING and is_held:
            job.lease_until = min(until, job.lease_until or until)
        else:
            queue.move(job, JobState.CANCELLED)
            job.finished_at = now
            await history.ended(session, job, now, AttemptEnd.CANCELLED)
            await types[job.kind].handler.on_cancelled(session, job)
            ended.append(job)
    for job in ended:
        await types[job.kind].handler.on_ended(session, job, None)
    return len(rows)


async def retry(session: AsyncSession, job_id: uuid.UUID) -> bool:
    """Queue a failed or cancelled job again with all its attempts; return False if it is in another state."""
    statement = select(Job, clock.now()).where(Job.id == job_id).with_for_update(of=Job)
    row = (await session.execute(statement)).one_or_none()
    if row is None or row[0].state not in (JobState.FAILED, JobState.CANCELLED):
        return False
    job, now = row
    queue.move(job, JobState.READY)
    job.request_id = current_request_id()
    job.attempt = 0
    job.run_after = now
    job.cancel_requested = False
    job.error = job.error_code = job.finished_at = None
    return True
