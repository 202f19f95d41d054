"""Jobs that proofread captions. Pages look for their state themselves, so they send no events."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.models import AiTextStatus
from api.content.ai_texts.proofreading.models import Proofreading
from api.content.ai_texts.proofreading.transitions import PROOFREADING_STATUS
from api.content.ai_texts.transitions import OPEN
from api.content.files.models import File
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.platform.realtime.notices import Notice
from cluster.resources import WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.proofread import PROOFREAD, ProofreadRequest, ProofreadResult


async def _lock(session: AsyncSession, job: Job) -> Proofreading | None:
    """The proofreading, locked after its file. None when it is gone or another job does it by now."""
    if await session.get(File, job.file_id, with_for_update=True) is None:
        return None
    row = await session.get(Proofreading, job.subject_id, with_for_update=True)
    return row if row is not None and row.job_id == job.id else None


class ProofreadHandler(Handler[ProofreadResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        if (row := await _lock(session, job)) is not None:
            PROOFREADING_STATUS.move(row, AiTextStatus.RUNNING)
            row.progress, row.error = 0, None

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        if (row := await _lock(session, job)) is not None:
            row.progress = job.progress
        return []

    async def on_done(self, session: AsyncSession, job: Job, result: ProofreadResult) -> None:
        if (row := await _lock(session, job)) is not None:
            PROOFREADING_STATUS.move(row, AiTextStatus.READY)
            row.progress, row.content = 100, result.to_json()

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        if (row := await _lock(session, job)) is not None:
            PROOFREADING_STATUS.move(row, AiTextStatus.FAILED)
            row.error = failure.reason

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        if (row := await _lock(session, job)) is not None and row.status in OPEN:
            PROOFREADING_STATUS.move(row, AiTextStatus.CANCELLED)


PROOFREAD_JOB = JobType(
    kind=JobKind.PROOFREAD,
    title=Message("proofreading.title", "Proofreading captions"),
    request=ProofreadRequest,
    result=ProofreadResult,
    flow=PROOFREAD,
    cpus=WAITING_TASK_CPUS,
    handler=ProofreadHandler(),
    price=Price(Message("proofreading.price", "Proofreading"), Fraction(0)),
    has_model=True,
    summary_fields=("language", "task"),
)
