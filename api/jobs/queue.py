"""The jobs table as a queue: put in, claim, renew, end. Every write of an attempt is guarded by its fence."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs import clock
from api.jobs.models import Job, JobChunk
from api.jobs.states import JobKind


def insert_into(session: AsyncSession, table: type[Job] | type[JobChunk]) -> Any:
    """An INSERT that knows ON CONFLICT in the session's database."""
    dialect = session.get_bind().dialect.name
    return postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)


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
    """Put a job in, in the caller's transaction; the job that already has this `dedup_key` when there is one."""
    statement: Insert = (
        insert_into(session, Job)
        .values(
            kind=kind,
            subject_id=subject_id,
            user_id=user_id,
            dedup_key=dedup_key,
            request=request,
            priority=priority,
            parent_id=parent_id,
            run_after=clock.now(),
        )
        .on_conflict_do_nothing(index_elements=[Job.dedup_key])
    )
    # The rows the job serves may still be unwritten in the session.
    await session.flush()
    await session.execute(statement)
    return (await session.scalars(select(Job).where(Job.dedup_key == dedup_key))).one()


async def chunks(session: AsyncSession, job_id: uuid.UUID) -> dict[str, dict[str, Any]]:
    """The finished parts of a job by key, whichever attempt made them."""
    rows = await session.execute(select(JobChunk.key, JobChunk.payload).where(JobChunk.job_id == job_id))
    return {key: payload for key, payload in rows}
