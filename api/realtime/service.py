"""Who may listen to what, and the current state of a user's unfinished work as events."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.exports.models import Export, ExportStatus
from api.exports.schemas import child_of
from api.files.models import File, FileStatus
from api.http.errors import Forbidden
from api.jobs.models import Job
from api.jobs.states import JobKind, JobState
from api.realtime.messages import Action, PollingMessage, Queue, channel_of
from api.realtime.signing import CHANNEL_NAME, SOCKET_ID, sign_channel
from api.settings import ApiSettings
from api.uploads.models import Upload, UploadStatus


def authorize(settings: ApiSettings, user_id: uuid.UUID, *, socket_id: str, channel: str) -> str:
    """The signature that lets a socket listen; `Forbidden` unless the channel is this user's own."""
    well_formed = SOCKET_ID.fullmatch(socket_id) and CHANNEL_NAME.fullmatch(channel)
    if not well_formed or channel != channel_of(user_id):
        raise Forbidden
    return sign_channel(settings.realtime_key, settings.relay_secret, socket_id=socket_id, channel=channel)


async def current_state(session: AsyncSession, user_id: uuid.UUID) -> list[PollingMessage]:
    """One or more events for each upload, file, playback copy and export of the user that is not finished."""
    messages = await _uploads(session, user_id)
    files = await session.scalars(
        select(File)
        .where(
            File.user_id == user_id,
            File.status.in_((FileStatus.WAITING, FileStatus.PROCESSING, FileStatus.TRANSCRIBING)),
        )
        .order_by(File.created_at)
    )
    for file in files.all():
        messages += await _file(session, file)
    encodings = await session.execute(
        select(Job, File)
        .join(File, File.id == Job.subject_id)
        .where(Job.user_id == user_id, Job.kind == JobKind.ENCODING, Job.state == JobState.RUNNING)
    )
    for job, file in encodings.tuples():
        messages.append(_message(Queue.ENCODING, Action.PROGRESS, file, progress=job.progress))
    return messages + await _exports(session, user_id)


async def _uploads(session: AsyncSession, user_id: uuid.UUID) -> list[PollingMessage]:
    waiting = select(Upload).where(Upload.user_id == user_id, Upload.status == UploadStatus.WAITING)
    return [
        PollingMessage(queue=Queue.TUS, action=Action.COMPLETED, slug=upload.slug, progress=100, name=upload.filename)
        for upload in await session.scalars(waiting.order_by(Upload.created_at))
    ]


async def _file(session: AsyncSession, file: File) -> list[PollingMessage]:
    if file.status == FileStatus.WAITING:
        return [_message(Queue.UPLOAD, Action.DISPATCHED, file)]
    if file.status == FileStatus.PROCESSING:
        action = Action.PROGRESS if file.progress else Action.STARTED
        return [_message(Queue.UPLOAD, action, file, progress=file.progress)]
    running = await session.scalar(
        select(Job.progress).where(
            Job.subject_id == file.id,
            Job.kind == JobKind.TRANSCRIBE,
            Job.state == JobState.RUNNING,
            Job.cancel_requested.is_(False),
        )
    )
    heard = (
        _message(Queue.TRANSCRIBE, Action.DISPATCHED, file)
        if running is None
        else _message(Queue.TRANSCRIBE, Action.PROGRESS, file, progress=running)
    )
    return [_message(Queue.UPLOAD, Action.TRANSCRIBING, file, progress=100), heard]


async def _exports(session: AsyncSession, user_id: uuid.UUID) -> list[PollingMessage]:
    rows = await session.execute(
        select(Export, File)
        .join(File, File.id == Export.file_id)
        .where(
            Export.user_id == user_id,
            Export.status.in_((ExportStatus.SUBMITTED, ExportStatus.PROGRESSING)),
        )
        .order_by(Export.created_at)
    )
    return [
        _message(
            Queue.EXPORT,
            Action.PROGRESS if export.status == ExportStatus.PROGRESSING else Action.DISPATCHED,
            file,
            progress=export.progress,
            child=child_of(export.language),
        )
        for export, file in rows.tuples()
    ]


def _message(
    queue: Queue, action: Action, file: File, *, progress: int = 0, child: str | None = None
) -> PollingMessage:
    return PollingMessage(queue=queue, action=action, slug=file.slug, child=child, progress=progress, name=file.name)
