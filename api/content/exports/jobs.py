"""How rendering an export changes its row, and which events browsers get."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.exports import queries
from api.content.exports.models import NOTICE, Export, ExportMode, ExportStatus
from api.content.exports.service import notice
from api.content.exports.transitions import EXPORT_STATUS
from api.content.files.models import File
from api.content.files.webhooks import facts_of
from api.people.webhooks.emission import emit
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import Action
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import ExportFacts, ExportReady
from cluster.resources import MEDIA_TASK_CPUS
from cluster.stored_sentences import sentence_as_json
from cluster.wording.message import Message
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.requests import EXPORT, ExportRequest
from pipelines.messages.results import ExportResult, parts_folder


async def _rows(session: AsyncSession, job: Job) -> tuple[File, Export] | None:
    """The export and its file; None when a person has removed either."""
    export = await session.get(Export, job.subject_id)
    file = await session.get(File, export.file_id) if export is not None else None
    return None if export is None or file is None else (file, export)


async def _forget_parts(session: AsyncSession, job: Job) -> None:
    """Remove the parts that the attempt stored after somebody had removed its export or the whole file."""
    if job.file_id is not None and not await queries.keeps_parts(session, job.file_id):
        remove_later(session, prefixes=[parts_folder(job.file_id)])


class ExportHandler(Handler[ExportResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.PROGRESSING)
        export.progress, export.error = 0, None
        # Also those of an export that fails or is cancelled must go one day.
        export.keeps_parts = export.mode == ExportMode.BURNED
        add_event(session, await notice(session, file, export, Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        if (rows := await _rows(session, job)) is None:
            return []
        file, export = rows
        export.progress = job.progress
        return [await notice(session, file, export, Action.PROGRESS, progress=job.progress)]

    async def on_done(self, session: AsyncSession, job: Job, result: ExportResult) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.COMPLETE)
        export.export_key = result.export_key
        export.size_bytes = result.size_bytes
        export.keeps_parts = result.kept_parts
        export.progress = 100
        if result.notice:
            export.form = {**(export.form or {}), NOTICE: sentence_as_json(result.notice)}
        add_event(session, await notice(session, file, export, Action.COMPLETED, progress=100))
        made = ExportFacts(id=export.id, language=export.language, mode=export.mode, size_bytes=export.size_bytes)
        await emit(session, file, ExportReady(file=facts_of(file), export=made))

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.ERROR)
        export.error = failure.reason
        add_event(session, await notice(session, file, export, Action.FAILED, reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        if (rows := await _rows(session, job)) is None:
            await _forget_parts(session, job)
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.CANCELED)
        add_event(session, await notice(session, file, export, Action.ABANDONED))


EXPORT_JOB = JobType(
    kind=JobKind.EXPORT,
    title=Message("exports.title", "Exporting the video"),
    request=ExportRequest,
    result=ExportResult,
    flow=EXPORT,
    cpus=MEDIA_TASK_CPUS,
    handler=ExportHandler(),
    price=Price(Message("exports.price", "Export"), Fraction(0)),
    summary_fields=("language", "mode", "width", "height", "duration_ms"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (EXPORT_JOB,)
