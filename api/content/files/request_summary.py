"""The jobs of a file with their attempts and the readable part of their requests."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.files.schemas import AttemptOut, FileJobOut
from api.platform.db import clock
from api.platform.jobs.job_type import AnyJobType, JobTypes
from api.platform.jobs.models import Job, JobAttempt
from api.platform.jobs.states import AttemptEnd, JobState


async def jobs_of(session: AsyncSession, types: JobTypes, file: File) -> list[FileJobOut]:
    """The jobs of a file, oldest first, exports included. Kinds unknown to this version are left out."""
    columns = (Job.id, Job.kind, Job.state, Job.created_at, Job.finished_at, Job.run_after, Job.attempt, Job.error)
    rows = (
        await session.execute(
            select(*columns, Job.request, clock.now().label("now"))
            .where(Job.file_id == file.id, Job.kind.in_(tuple(types)))
            .order_by(Job.created_at, Job.id)
        )
    ).all()
    attempts = await _attempts(session, [row.id for row in rows])
    return [
        FileJobOut(
            kind=row.kind,
            title=types[row.kind].title,
            state=JobState(row.state),
            created_at=row.created_at,
            finished_at=row.finished_at,
            retry_at=retry_at(row.state, row.attempt, row.run_after, row.now),
            error=row.error,
            request=request_summary(types[row.kind], row.request),
            attempts=attempts[row.id],
        )
        for row in rows
    ]


def retry_at(state: str, attempt: int, run_after: datetime, now: datetime) -> datetime | None:
    """When a waiting job is retried; None for a job that waits for its turn."""
    return run_after if state == JobState.READY and attempt > 0 and run_after > now else None


def request_summary(job_type: AnyJobType, row: Mapping[str, Any]) -> dict[str, str | int | float]:
    """The readable part of a request, flat. Empty when this version cannot read the request."""
    request = job_type.request.read(row)
    if request is None:
        return {}
    values = {path.rpartition(".")[2]: attrgetter(path)(request) for path in job_type.summary_fields}
    return {name: value for name, value in values.items() if value is not None}


async def _attempts(session: AsyncSession, job_ids: list[uuid.UUID]) -> dict[uuid.UUID, list[AttemptOut]]:
    attempts: dict[uuid.UUID, list[AttemptOut]] = defaultdict(list)
    statement = select(JobAttempt).where(JobAttempt.job_id.in_(job_ids)).order_by(JobAttempt.fence)
    for attempt in await session.scalars(statement):
        attempts[attempt.job_id].append(
            AttemptOut(
                number=attempt.number,
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
                ending=AttemptEnd(attempt.ending) if attempt.ending else None,
                note=attempt.note,
            )
        )
    return attempts
