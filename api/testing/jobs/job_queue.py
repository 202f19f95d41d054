"""A queue of jobs for tests, and a handler that records its calls."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.jobs import queue
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import JobType, JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.platform.realtime.notices import Notice
from pipelines.messages.attempt import Chunk, Progress, StageFailed
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import ExportResult, FlowResult


@dataclass
class Recorder(Handler[FlowResult]):
    """A handler that records its calls, also of transactions that did not commit: compare `seen` with the rows."""

    seen: list[tuple[str, Any]] = field(default_factory=list)

    async def on_started(self, session: AsyncSession, job: Job) -> None:
        self.seen.append(("started", job.attempt))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        self.seen.append(("progress", progress.percent))
        return []

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> list[Notice]:
        self.seen.append(("chunk", chunk.key))
        return []

    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        self.seen.append(("done", result.to_json()))

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        self.seen.append(("failed", failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        self.seen.append(("cancelled", None))


class NumberedRequest(JsonMessage):
    """The request of a job that no flow ever runs."""

    key: str


def recorded(recorder: Recorder) -> JobTypes:
    """The job types of a test: one kind, whose domain is the recorder."""
    kind = JobKind.UPLOAD
    return {
        kind: JobType(
            kind=kind, title="", request=NumberedRequest, result=ExportResult, flow="", cpus=1.0, handler=recorder
        )
    }


@dataclass
class Jobs:
    """The queue of a test: add jobs, read them, and expire their leases."""

    database: Database
    users: dict[str, uuid.UUID] = field(default_factory=dict)

    async def user(self, name: str) -> uuid.UUID:
        if name not in self.users:
            async with self.database.write() as session:
                user = User(name=name, email=f"{name}@example.com", password_hash="-")
                session.add(user)
                await session.flush()
                self.users[name] = user.id
        return self.users[name]

    async def put(self, key: str, *, user: str = "ada", kind: JobKind = JobKind.UPLOAD, **more: Any) -> uuid.UUID:
        owner = await self.user(user)
        values: dict[str, Any] = {
            "subject_id": uuid.uuid4(),
            "file_id": None,
            "request": NumberedRequest(key=key),
        }
        async with self.database.write() as session:
            job = await queue.enqueue(session, kind=kind, user_id=owner, dedup_key=key, **values | more)
            return job.id

    async def get(self, job_id: uuid.UUID) -> Job:
        async with self.database.read() as session:
            return (await session.scalars(select(Job).where(Job.id == job_id))).one()

    async def claim(self, owner: str = "one") -> Job | None:
        async with self.database.write() as session:
            return await queue.claim(session, owner)

    async def claimed(self, owner: str = "one") -> Job:
        job = await self.claim(owner)
        assert job is not None
        return job

    async def change(self, job_id: uuid.UUID, **values: Any) -> None:
        async with self.database.write() as session:
            await session.execute(update(Job).where(Job.id == job_id).values(**values))

    async def now(self) -> datetime:
        async with self.database.read() as session:
            now: datetime = (await session.execute(select(clock.now()))).scalar_one()
            return now

    async def expire(self, job_id: uuid.UUID) -> None:
        await self.change(job_id, lease_until=clock.now(-1))
