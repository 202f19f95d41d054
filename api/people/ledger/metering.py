"""Jobs and the ledger: reserve when work is queued, settle or release when its job ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import Owned
from api.people.ledger.models import Reason
from api.people.ledger.prices import enter, price_of
from api.people.ledger.service import release, reserve, settle
from api.people.plans.payer import payer_of
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.platform.realtime.notices import Notice
from pipelines.messages.attempt import Chunk, Interim, Progress, StageFailed
from pipelines.messages.results import FlowResult


async def reserve_for(
    session: AsyncSession, job: Job, file: Owned, *, duration_ms: int | None, free: Reason | None = None
) -> None:
    """Reserve what a queued job on a file costs. Raises `QuotaExceeded`; the caller then rolls the job back."""
    if price_of(job.kind) is None or job.state != JobState.READY:
        return
    await reserve(
        session,
        payer_id=await payer_of(session, file.user_id, file.team_id),
        job_id=job.id,
        file_id=job.file_id,
        work=job.kind,
        seconds=-(-(duration_ms or 0) // 1000),
        user_id=job.user_id,
        team_id=file.team_id,
        free=free,
    )


def metered(job_type: AnyJobType) -> AnyJobType:
    """Enter a job type into the price list. The result has the ledger behind its handler if the work has a price."""
    enter(job_type)
    return job_type if job_type.price is None else replace(job_type, handler=MeteredHandler(job_type.handler))


class MeteredHandler(Handler[Any]):
    """A domain's handler, after which the ledger follows: a finished job is charged, any other gives back."""

    def __init__(self, inner: Handler[Any]) -> None:
        self._inner = inner

    async def on_started(self, session: AsyncSession, job: Job) -> None:
        await self._inner.on_started(session, job)

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> Sequence[Notice]:
        return await self._inner.on_progress(session, job, progress)

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> Sequence[Notice]:
        return await self._inner.on_chunk(session, job, chunk)

    async def on_interim(self, session: AsyncSession, job: Job, interim: Interim) -> Sequence[Notice]:
        return await self._inner.on_interim(session, job, interim)

    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        await self._inner.on_done(session, job, result)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        await self._inner.on_failed(session, job, failure)

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        await self._inner.on_cancelled(session, job)

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        await self._inner.on_ended(session, job, failure)
        if job.state == JobState.DONE:
            await settle(session, job.id)
        elif failure is None:
            await release(session, job.id, reason=Reason.CANCELLED)
        else:
            # A failure that might not happen again is ours. The others are the file's.
            await release(session, job.id, reason=Reason.FAULT if failure.retryable else Reason.FAILED)
