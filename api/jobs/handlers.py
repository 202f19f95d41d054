"""What a domain does when a job of its kind starts, moves on and ends.

Each kind's handler lives with its domain and is named in that module's `HANDLERS` (see `registry.py`). Every method
runs inside the transaction that the job's fence guards: it is called by the one attempt that holds the job, and what
it writes is kept together with the job's own change or not at all. So it

- changes rows of its domain through `session` (never commits) and does no other I/O;
- tells browsers with `api.jobs.outbox.add_event(session, notice)`, sent after the commit, never lost;
- starts follow-up work with `api.jobs.queue.enqueue(session, ..., parent_id=job.id)`;
- does not fail when its subject row is gone: people delete files while jobs run.

`job` is the row as it is after the change (`done` in `on_done`, and so on). A job may start more than once: a retry
calls `on_started` again; each of `on_done`, `on_failed` and `on_cancelled` happens once, until a person retries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import Job
from api.realtime.notices import Notice
from pipelines.flows.messages import Chunk, Progress, Result, StageFailed


class Handler(Protocol):
    async def on_started(self, session: AsyncSession, job: Job, value: None) -> None: ...

    async def on_progress(self, session: AsyncSession, job: Job, value: Progress) -> Sequence[Notice]:
        """Called at most once a second. The notices returned are sent after the commit.

        They may be lost; `eta_s` is filled in when it is unset. `job.progress` is the percent to show: unlike the
        value's own it never falls within an attempt. Called again with the last value when the job stalls.
        """
        ...

    async def on_chunk(self, session: AsyncSession, job: Job, value: Chunk) -> Sequence[Notice]:
        """Called once for each finished part, in any order; notices as in `on_progress`.

        `queue.chunks(session, job.id)` gives all parts kept so far, of earlier attempts too.
        """
        ...

    async def on_done(self, session: AsyncSession, job: Job, value: Result) -> None: ...

    async def on_failed(self, session: AsyncSession, job: Job, value: StageFailed) -> None:
        """The last attempt failed; `value.reason` is the sentence for the user."""
        ...

    async def on_cancelled(self, session: AsyncSession, job: Job, value: None) -> None: ...
