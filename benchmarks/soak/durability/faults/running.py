"""The running jobs, and whether others have taken those that a fault hit."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select

from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState


@dataclass(frozen=True, slots=True)
class HeldJob:
    """A job under one fence."""

    job_id: uuid.UUID
    fence: int
    kind: str
    owner: str


class Running:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def now(self, *kinds: JobKind) -> list[HeldJob]:
        statement = select(Job.id, Job.fence, Job.kind, Job.owner).where(Job.state == JobState.RUNNING)
        try:
            async with self._database.read() as session:
                rows = (await session.execute(statement)).tuples().all()
        except DATABASE_AWAY:
            return []
        return [HeldJob(*row[:3], row[3] or "") for row in rows if not kinds or row[2] in kinds]

    async def are_in_other_hands(self, hit: list[HeldJob]) -> bool:
        """Whether each was claimed again, has ended, or is gone."""
        statement = select(Job.id, Job.fence).where(
            Job.id.in_([held.job_id for held in hit]), Job.state.in_((JobState.RUNNING, JobState.READY))
        )
        try:
            async with self._database.read() as session:
                fences = {job_id: fence for job_id, fence in (await session.execute(statement)).tuples()}
        except DATABASE_AWAY:
            return False
        return all(fences.get(held.job_id, held.fence + 1) > held.fence for held in hit)
