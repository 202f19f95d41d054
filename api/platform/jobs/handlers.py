"""What a domain does when a job of its kind starts, progresses and ends.

Every method runs inside the transaction that the job's fence guards. Only the attempt that holds the job calls it, and
what it writes is committed together with the job's own change or not at all. So it

- changes rows of its domain through `session` (never commits) and does no other I/O;
- sends events with `outbox.add_event(session, user_id, message)`, delivered after the commit, never lost;
- starts follow-up work with `api.platform.jobs.queue.enqueue(session, ..., parent_id=job.id)`;
- does not fail if its subject row is gone: people delete files while jobs run.

`job` is the row after the change (`done` in `on_done`, and so on). A job may start more than once: a retry calls
`on_started` again. `on_done`, `on_failed`, `on_cancelled` and `on_ended` are called once, until a person retries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.models import Job
from api.platform.realtime.notices import Notice
from pipelines.messages.attempt import Chunk, Interim, Progress, StageFailed
from pipelines.messages.results import FlowResult

ResultT = TypeVar("ResultT", bound=FlowResult)


class Handler(Generic[ResultT]):
    """Does nothing; a domain overrides what it needs."""

    async def on_started(self, session: AsyncSession, job: Job) -> None:
        """An attempt starts. May write the `request` of the job: the attempt gets what stands there then."""

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> Sequence[Notice]:
        """Called at most once a second. The returned notices are sent after the commit and may get lost.

        `eta_s` is filled in if unset. `job.progress` is the percentage to show: unlike `progress` itself it never falls
        within an attempt. Called again with the last value when the job stalls.
        """
        return ()

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> Sequence[Notice]:
        """Called once for each finished part, in any order; notices as in `on_progress`.

        `queue.chunks(session, job.id)` returns all parts so far, including those of earlier attempts.
        """
        return ()

    async def on_interim(self, session: AsyncSession, job: Job, interim: Interim) -> Sequence[Notice]:
        """What may still change. Nothing is written; notices as in `on_progress`."""
        return ()

    async def on_done(self, session: AsyncSession, job: Job, result: ResultT) -> None:
        """The result was accepted."""

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        """The last attempt failed; `failure.reason` is the sentence for the user."""

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        """A person stopped the job."""

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        """The job is over. Called after `on_done`, `on_failed` or `on_cancelled`, also when one of the last two raised.

        Where one transaction ends several jobs, it is called when all of them have been handled.
        """
