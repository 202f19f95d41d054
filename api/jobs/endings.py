"""How an attempt ends: done, tried again, failed, cancelled, handed back. One guarded transaction each."""

from __future__ import annotations

from collections.abc import Awaitable
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.db.engine import DATABASE_AWAY
from api.jobs import queue
from api.jobs.handlers import Handler
from api.jobs.limits import BACK_OFF_S, MAX_ATTEMPTS, MAX_CRASHES
from api.jobs.models import Job
from api.jobs.queue import Lease
from api.jobs.states import ErrorCode, JobState
from pipelines.flows.messages import Result, StageFailed

log = structlog.get_logger(__name__)

ATTEMPTS: dict[ErrorCode, int] = {
    ErrorCode.STAGE: MAX_ATTEMPTS,
    ErrorCode.CRASHED: MAX_CRASHES,
    ErrorCode.INFRASTRUCTURE: MAX_ATTEMPTS,
}


async def finish(session: AsyncSession, handler: Handler, lease: Lease, result: Result) -> JobState:
    """Accept the result with everything that follows from it, unless the job was cancelled meanwhile."""
    job, now = await queue.hold(session, lease)
    if job.cancel_requested:
        await _cancel(session, handler, job, now)
        return JobState.CANCELLED
    queue.move(job, JobState.DONE)
    job.result = result.payload
    job.progress = 100
    job.finished_at = now
    job.error = job.error_code = None
    await handler.on_done(session, job, result)
    log.info("job.completed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, fence=job.fence)
    return JobState.DONE


async def fail(
    session: AsyncSession, handler: Handler, lease: Lease, failure: StageFailed, code: ErrorCode
) -> JobState:
    """Wait and try again while attempts are left, else the end."""
    job, now = await queue.hold(session, lease)
    if job.cancel_requested:
        await _cancel(session, handler, job, now)
        return JobState.CANCELLED
    job.error_code, job.error = code, failure.reason
    if failure.retryable and job.attempt < ATTEMPTS[code]:
        queue.move(job, JobState.READY)
        job.run_after = now + timedelta(seconds=BACK_OFF_S[min(job.attempt, len(BACK_OFF_S)) - 1])
        log.warning("job.retried", job_id=str(job.id), kind=job.kind, attempt=job.attempt, code=code)
        return JobState.READY
    await give_up(session, handler, job, now, failure)
    return JobState.FAILED


async def give_up(session: AsyncSession, handler: Handler, job: Job, now: datetime, failure: StageFailed) -> None:
    """Fail a job that this transaction holds."""
    queue.move(job, JobState.FAILED)
    job.error = failure.reason
    job.finished_at = now
    await _tell(session, job, handler.on_failed(session, job, failure))
    log.warning("job.failed", job_id=str(job.id), kind=job.kind, attempt=job.attempt, code=job.error_code)


async def cancel(session: AsyncSession, handler: Handler, lease: Lease) -> JobState:
    job, now = await queue.hold(session, lease)
    await _cancel(session, handler, job, now)
    return JobState.CANCELLED


async def hand_back(session: AsyncSession, lease: Lease) -> None:
    """The dispatcher stops: the job waits for another one, and this attempt does not count."""
    job, now = await queue.hold(session, lease)
    queue.move(job, JobState.READY)
    job.attempt -= 1
    job.run_after = now


async def _cancel(session: AsyncSession, handler: Handler, job: Job, now: datetime) -> None:
    queue.move(job, JobState.CANCELLED)
    job.finished_at = now
    await _tell(session, job, handler.on_cancelled(session, job, None))
    log.info("job.cancelled", job_id=str(job.id), kind=job.kind)


async def _tell(session: AsyncSession, job: Job, telling: Awaitable[None]) -> None:
    """Let the domain follow. The job ends even when its domain cannot: else it would be claimed again for ever."""
    try:
        async with session.begin_nested():
            await telling
    except DATABASE_AWAY:
        raise
    except Exception:
        log.exception("job.handler_failed", job_id=str(job.id), kind=job.kind, state=job.state)
