"""What rendering an export does to its row, and what browsers are told of it."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.exports.models import Export, ExportStatus
from api.exports.service import notice
from api.exports.transitions import EXPORT_STATUS
from api.files.models import File
from api.jobs.handlers import Handler
from api.jobs.models import Job
from api.jobs.outbox import add_event
from api.jobs.states import JobKind
from api.realtime.messages import Action
from api.realtime.notices import Notice
from pipelines.flows.messages import Chunk, Progress, Result, StageFailed


async def _rows(session: AsyncSession, job: Job) -> tuple[File, Export] | None:
    """The export and its file; None when a person removed one of them meanwhile."""
    export = await session.get(Export, job.subject_id)
    file = await session.get(File, export.file_id) if export is not None else None
    return None if export is None or file is None else (file, export)


class ExportHandler:
    async def on_started(self, session: AsyncSession, job: Job, value: None) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.PROGRESSING)
        export.progress, export.error = 0, None
        add_event(session, await notice(session, file, export, Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, value: Progress) -> list[Notice]:
        if (rows := await _rows(session, job)) is None:
            return []
        file, export = rows
        export.progress = job.progress
        return [await notice(session, file, export, Action.PROGRESS, progress=job.progress)]

    async def on_chunk(self, session: AsyncSession, job: Job, value: Chunk) -> list[Notice]:
        """An export is one video and keeps no parts."""
        return []

    async def on_done(self, session: AsyncSession, job: Job, value: Result) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.COMPLETE)
        export.export_key = value.payload["export_key"]
        export.size_bytes = value.payload["size_bytes"]
        export.progress = 100
        add_event(session, await notice(session, file, export, Action.COMPLETED, progress=100))

    async def on_failed(self, session: AsyncSession, job: Job, value: StageFailed) -> None:
        rows = await _rows(session, job)
        if rows is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.ERROR)
        export.error = value.reason
        add_event(session, await notice(session, file, export, Action.FAILED, reason=value.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job, value: None) -> None:
        if (rows := await _rows(session, job)) is None:
            return
        file, export = rows
        EXPORT_STATUS.move(export, ExportStatus.CANCELED)
        add_event(session, await notice(session, file, export, Action.ABANDONED))


HANDLERS: dict[str, Handler] = {JobKind.EXPORT: ExportHandler()}
