"""What was done to a file: its jobs with their frozen requests and their attempts, for people to read."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import clock
from api.exports.models import Export
from api.files.models import File
from api.files.schemas import AttemptOut, FileJobOut
from api.jobs.models import Job, JobAttempt
from api.jobs.states import AttemptEnd, JobKind, JobState

SHOWN: dict[JobKind, tuple[str, ...]] = {
    JobKind.UPLOAD: ("filename", "language"),
    JobKind.TRANSCRIBE: ("language", "duration_ms", "beam_size"),
    JobKind.ENCODING: ("kind", "duration_ms"),
    JobKind.EXPORT: ("language", "mode", "width", "height", "duration_ms"),
}
"""The parts of a request that mean something to its owner; nothing of a kind that has no entry.

Keys of stored objects and ids are left out.
"""

RULES = "caption_rules"
RULES_SHOWN = ("max_row", "max_rows", "max_speed", "min_ms", "max_ms", "gap_ms")


async def jobs_of(session: AsyncSession, file: File) -> list[FileJobOut]:
    """Oldest first, exports included. Kinds that only a newer or older version knows are left out."""
    exports = (await session.scalars(select(Export.id).where(Export.file_id == file.id))).all()
    columns = (Job.id, Job.kind, Job.state, Job.created_at, Job.finished_at, Job.run_after, Job.attempt, Job.error)
    rows = (
        await session.execute(
            select(*columns, Job.request, clock.now().label("now"))
            .where(Job.subject_id.in_([file.id, *exports]), Job.kind.in_(tuple(JobKind)))
            .order_by(Job.created_at, Job.id)
        )
    ).all()
    attempts = await _attempts(session, [row.id for row in rows])
    return [
        FileJobOut(
            kind=JobKind(row.kind),
            state=JobState(row.state),
            created_at=row.created_at,
            finished_at=row.finished_at,
            retry_at=retry_at(row.state, row.attempt, row.run_after, row.now),
            error=row.error,
            asked=asked(JobKind(row.kind), row.request),
            attempts=attempts[row.id],
        )
        for row in rows
    ]


def retry_at(state: str, attempt: int, run_after: datetime, now: datetime) -> datetime | None:
    """When a waiting job is tried again; None of one that waits for its turn."""
    return run_after if state == JobState.READY and attempt > 0 and run_after > now else None


def asked(kind: JobKind, request: Mapping[str, Any]) -> dict[str, str | int | float]:
    """The readable part of a request, flat."""
    shown = {name: request[name] for name in SHOWN.get(kind, ()) if request.get(name) is not None}
    rules = request.get(RULES) or {}
    return {**shown, **{name: rules[name] for name in RULES_SHOWN if name in rules}}


async def _attempts(session: AsyncSession, job_ids: list[uuid.UUID]) -> dict[uuid.UUID, list[AttemptOut]]:
    found: dict[uuid.UUID, list[AttemptOut]] = defaultdict(list)
    statement = select(JobAttempt).where(JobAttempt.job_id.in_(job_ids)).order_by(JobAttempt.fence)
    for attempt in await session.scalars(statement):
        found[attempt.job_id].append(
            AttemptOut(
                number=attempt.number,
                started_at=attempt.started_at,
                ended_at=attempt.ended_at,
                ending=AttemptEnd(attempt.ending) if attempt.ending else None,
                note=attempt.note,
            )
        )
    return found
