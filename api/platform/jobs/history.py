"""The attempts of a job and how each ended, for people who want to know what happened to their file."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.models import Job, JobAttempt
from api.platform.jobs.states import AttemptEnd
from serve.core.messages import EngineInfo

ENGINE_MAX, DEVICE_MAX = 200, 40


async def begun(session: AsyncSession, job: Job, now: datetime) -> None:
    """Open an attempt after a claim, and close the one that lost its lease, if any."""
    if job.fence > 1:
        await _close(session, JobAttempt.job_id == job.id, ended_at=now, ending=AttemptEnd.LEASE_ENDED)
    attempt = JobAttempt(
        job_id=job.id,
        fence=job.fence,
        number=job.attempt,
        kind=job.kind,
        owner=job.owner,
        work=job.work,
        started_at=now,
    )
    session.add(attempt)


async def ended(
    session: AsyncSession,
    job: Job,
    now: datetime,
    ending: AttemptEnd,
    *,
    note: str | None = None,
    engine: EngineInfo | None = None,
) -> None:
    """Close the attempt that holds the job; a job that only waits has none."""
    own = (JobAttempt.job_id == job.id, JobAttempt.fence == job.fence)
    name = f"{engine.engine} {engine.model}"[:ENGINE_MAX] if engine else None
    device = engine.device[:DEVICE_MAX] if engine else None
    await _close(session, *own, ended_at=now, ending=ending, note=note, engine=name, device=device)


async def _close(session: AsyncSession, *which: object, **values: object) -> None:
    await session.execute(
        update(JobAttempt)
        .where(*which, JobAttempt.ended_at.is_(None))  # type: ignore[arg-type]
        .values(**values)
        .execution_options(synchronize_session=False)
    )
