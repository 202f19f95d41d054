"""How an attempt ends: done, retried, failed, cancelled or handed back. Each in one fenced transaction."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY
from api.platform.jobs import history, queue
from api.platform.jobs.attempts.retries import (
    ATTEMPTS,
    OVERLOAD_ENDS_S,
    OVERLOAD_WAIT_S,
    STORAGE_WAIT_S,
    spread,
    wait_s,
)
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import AttemptEnd, ErrorCode, JobState
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import FlowResult

log = structlog.get_logger(__name__)


async def finish(session: AsyncSession, handler: Handler[Any], lease: Lease, result: FlowResult) -> JobState:
    """Accept the result and everything that follows from it, unless the job was cancelled meanwhile."""
    job, now = await queue.hold(session, lease)
    if job.cancel_requested:
        await _cancel(session, handler, job, now)
        return JobState.CANCELLED
    queue.move(job, JobState.DONE)
    job.result = result.record()
    job.progress = 100
    job.finished_at = now
    job.error = job.error_code = None
    await history.ended(session, job, now, AttemptEnd.DONE, engine=result.model_engine)
    await handler.on_done(session, job, result)
    await handler.on_ended(session, job, None)
    log.info("job.completed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, fence=job.fence)
    return JobState.DONE


async def fail(
    session: AsyncSession, handler: Handler[Any], lease: Lease, failure: StageFailed, code: ErrorCode
) -> JobState:
    """Schedule a retry while attempts are left, else fail the job."""
    job, now = await queue.hold(session, lease)
    if job.cancel_requested:
        await _cancel(session, handler, job, now)
        return JobState.CANCELLED
    job.error_code, job.error = code, failure.reason
    if (wait := _uncounted_wait_s(job, now, code)) is not None:
        queue.move(job, JobState.READY)
        job.run_after = now + timedelta(seconds=wait)
        await history.ended(session, job, now, AttemptEnd.RETRIED, note=failure.reason)
        job.attempt -= 1
        log.warning("job.waits", job_id=str(job.id), kind=job.kind, code=code)
        return JobState.READY
    if failure.retryable and job.attempt < ATTEMPTS[code]:
        queue.move(job, JobState.READY)
        job.run_after = now + timedelta(seconds=wait_s(job.attempt))
        await history.ended(session, job, now, AttemptEnd.RETRIED, note=failure.reason)
        log.warning("job.retried", job_id=str(job.id), kind=job.kind, attempt=job.attempt, code=code)
        return JobState.READY
    await give_up(session, handler, job, now, failure)
    return JobState.FAILED


def _uncounted_wait_s(job: Job, now: datetime, code: ErrorCode) -> float | None:
    """The wait after an attempt that does not count, because nothing is wrong with the job; None where it counts."""
    if code is ErrorCode.STORAGE_AWAY:
        return STORAGE_WAIT_S
    if code is ErrorCode.OVERLOADED and now - job.created_at < timedelta(seconds=OVERLOAD_ENDS_S):
        return spread(OVERLOAD_WAIT_S)
    return None


async def give_up(session: AsyncSession, handler: Handler[Any], job: Job, now: datetime, failure: StageFailed) -> None:
    """Fail a job that this transaction holds."""
    queue.move(job, JobState.FAILED)
    job.error = failure.reason
    job.finished_at = now
    await history.ended(session, job, now, AttemptEnd.FAILED, note=failure.reason)
    await _notify(session, job, handler.on_failed(session, job, failure))
    await _notify(session, job, handler.on_ended(session, job, failure))
    # An unsupported language is a question to the person, not a problem for the operator.
    write_log = log.info if job.error_code == ErrorCode.LANGUAGE_UNSUPPORTED else log.warning
    write_log("job.failed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, code=job.error_code)


async def cancel(session: AsyncSession, handler: Handler[Any], lease: Lease) -> JobState:
    job, now = await queue.hold(session, lease)
    await _cancel(session, handler, job, now)
    return JobState.CANCELLED


async def hand_back(session: AsyncSession, lease: Lease) -> None:
    """Release the job of a dispatcher or node that stops: it waits for another one, and this attempt does not count."""
    job, now = await queue.hold(session, lease)
    queue.move(job, JobState.READY)
    await history.ended(session, job, now, AttemptEnd.HANDED_BACK)
    job.attempt -= 1
    job.run_after = now


def is_orphan() -> tuple[ColumnElement[bool], ...]:
    """Cancelled jobs whose owner is gone."""
    return (Job.state == JobState.RUNNING, Job.cancel_requested.is_(True), Job.lease_until < clock.now())


async def cancel_orphans(session: AsyncSession, types: JobTypes) -> int:
    """End orphaned jobs and return how many. Needs no Ray: what their owner ran died with it."""
    statement = select(Job, clock.now()).where(*is_orphan()).with_for_update(of=Job, skip_locked=True)
    rows = (await session.execute(statement)).tuples().all()
    for job, now in rows:
        await _end_cancelled(session, types[job.kind].handler, job, now)
    for job, _now in rows:
        await _notify(session, job, types[job.kind].handler.on_ended(session, job, None))
    return len(rows)


async def _cancel(session: AsyncSession, handler: Handler[Any], job: Job, now: datetime) -> None:
    await _end_cancelled(session, handler, job, now)
    await _notify(session, job, handler.on_ended(session, job, None))


async def _end_cancelled(session: AsyncSession, handler: Handler[Any], job: Job, now: datetime) -> None:
    queue.move(job, JobState.CANCELLED)
    job.finished_at = now
    await history.ended(session, job, now, AttemptEnd.CANCELLED)
    await _notify(session, job, handler.on_cancelled(session, job))
    log.info("job.cancelled", job_id=str(job.id), kind=job.kind)


async def _notify(session: AsyncSession, job: Job, handling: Awaitable[None]) -> None:
    """Let the domain follow. The job ends even if its domain fails, or it would be claimed again forever."""
    try:
        async with session.begin_nested():
            await handling
    except DATABASE_AWAY:
        raise
    except Exception:
        log.exception("job.handler_failed", job_id=str(job.id), kind=job.kind, state=job.state)
