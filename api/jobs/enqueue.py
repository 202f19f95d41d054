"""Put a job into the queue, in the transaction of the row it serves."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import Job
from api.jobs.states import JobKind, JobState


async def enqueue(
    session: AsyncSession,
    *,
    kind: JobKind,
    subject_id: uuid.UUID,
    user_id: uuid.UUID,
    dedup_key: str,
    request: dict[str, Any],
    priority: int = 0,
    parent_id: uuid.UUID | None = None,
) -> Job:
    """The job of `dedup_key`, made when there is none. `request` is frozen with it: a retry sees the same one."""
    existing = (await session.scalars(select(Job).where(Job.dedup_key == dedup_key))).one_or_none()
    if existing is not None:
        return existing
    job = Job(
        kind=kind,
        subject_id=subject_id,
        user_id=user_id,
        dedup_key=dedup_key,
        request=request,
        state=JobState.READY,
        priority=priority,
        parent_id=parent_id,
        run_after=await session.scalar(select(func.current_timestamp())),
    )
    session.add(job)
    await session.flush()
    return job
