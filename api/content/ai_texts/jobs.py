"""How writing an AI text changes its row, and which events browsers get."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.content import written_content
from api.content.ai_texts.events import notice
from api.content.ai_texts.models import AiText, AiTextStatus, VersionKind
from api.content.ai_texts.proofreading.jobs import PROOFREAD_JOB
from api.content.ai_texts.service import stop
from api.content.ai_texts.transitions import AI_TEXT_STATUS
from api.content.ai_texts.versions import add_version
from api.content.files.models import File
from api.content.files.webhooks import facts_of
from api.people.webhooks.emission import emit
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import Action
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import AiTextFacts, AiTextReady
from cluster.resources import WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.messages.attempt import Chunk, Progress, StageFailed
from pipelines.messages.minutes import MINUTES, MinutesRequest, MinutesResult, WrittenBlock
from pipelines.messages.results import engine_record


async def _lock(session: AsyncSession, job: Job) -> tuple[File, AiText] | None:
    """The text and its file, locked. None when either is gone, or when another job writes the text by now."""
    file = await session.get(File, job.file_id, with_for_update=True)
    if file is None:
        return None
    text = await session.get(AiText, job.subject_id, with_for_update=True)
    return (file, text) if text is not None and text.job_id == job.id else None


class MinutesHandler(Handler[MinutesResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        if (held := await _lock(session, job)) is None:
            return
        file, text = held
        AI_TEXT_STATUS.move(text, AiTextStatus.RUNNING)
        text.progress, text.error = 0, None
        add_event(session, await notice(session, file, text, Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        if (held := await _lock(session, job)) is None:
            return []
        file, text = held
        text.progress = job.progress
        return [await notice(session, file, text, Action.PROGRESS, progress=job.progress)]

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> list[Notice]:
        """A block is shown as soon as it is written; the notes that come before it are not."""
        if not isinstance(chunk.payload, WrittenBlock) or (held := await _lock(session, job)) is None:
            return []
        file, text = held
        return [await notice(session, file, text, Action.PROGRESS, progress=job.progress)]

    async def on_done(self, session: AsyncSession, job: Job, result: MinutesResult) -> None:
        if (held := await _lock(session, job)) is None:
            return
        file, text = held
        content = written_content(result, MinutesRequest.from_json(job.request).lines)
        await add_version(session, text, content, VersionKind.WRITTEN, engine=engine_record(result.engine))
        AI_TEXT_STATUS.move(text, AiTextStatus.READY)
        text.progress = 100
        add_event(session, await notice(session, file, text, Action.COMPLETED, progress=100))
        written = AiTextFacts(id=text.id, type=text.type, language=text.language)
        await emit(session, file, AiTextReady(file=facts_of(file), text=written))

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        if (held := await _lock(session, job)) is None:
            return
        file, text = held
        AI_TEXT_STATUS.move(text, AiTextStatus.FAILED)
        text.error = failure.reason
        add_event(session, await notice(session, file, text, Action.FAILED, reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        if (held := await _lock(session, job)) is not None:
            await stop(session, *held)


MINUTES_JOB = JobType(
    kind=JobKind.MINUTES,
    title=Message("ai_texts.title", "Writing a text"),
    request=MinutesRequest,
    result=MinutesResult,
    flow=MINUTES,
    cpus=WAITING_TASK_CPUS,
    handler=MinutesHandler(),
    price=Price(Message("ai_texts.price", "AI text"), Fraction(0)),
    has_model=True,
    summary_fields=("type", "language", "source_language"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (MINUTES_JOB, PROOFREAD_JOB)
