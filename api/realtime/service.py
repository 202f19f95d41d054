"""Who may listen to what, and the current state of a user's unfinished work as events."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.exports.models import Export, ExportStatus
from api.exports.service import message as export_message
from api.files.models import File, FileStatus
from api.http.errors import Forbidden
from api.jobs.models import Job
from api.jobs.states import JobKind, JobState
from api.realtime.events import event
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
    """Events for each upload, file, playback copy and export of the user that is not finished.

    Running work has its `Started`, whose sentence a reloaded page shows, and the progress it has reached.
    """
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
    return messages + await _encodings(session, user_id) + await _exports(session, user_id)


async def _uploads(session: AsyncSession, user_id: uuid.UUID) -> list[PollingMessage]:
    waiting = select(Upload).where(Upload.user_id == user_id, Upload.status == UploadStatus.WAITING)
    return [
        event(Queue.TUS, Action.COMPLETED, slug=upload.slug, progress=100, name=upload.filename)
        for upload in await session.scalars(waiting.order_by(Upload.created_at))
    ]


async def _file(session: AsyncSession, file: File) -> list[PollingMessage]:
    if file.status == FileStatus.WAITING:
        return [_message(Queue.UPLOAD, Action.DISPATCHED, file)]
    if file.status == FileStatus.PROCESSING:
        return _running(Queue.UPLOAD, file, file.progress)
    progress = await session.scalar(
        select(Job.progress).where(
            Job.subject_id == file.id,
            Job.kind == JobKind.TRANSCRIBE,
            Job.state == JobState.RUNNING,
            Job.cancel_requested.is_(False),
        )
    )
    prepared = _message(Queue.UPLOAD, Action.TRANSCRIBING, file, progress=100)
    if progress is None:
        return [prepared, _message(Queue.TRANSCRIBE, Action.DISPATCHED, file)]
    return [prepared, *_running(Queue.TRANSCRIBE, file, progress)]


async def _encodings(session: AsyncSession, user_id: uuid.UUID) -> list[PollingMessage]:
    rows = await session.execute(
        select(Job, File)
        .join(File, File.id == Job.subject_id)
        .where(
            Job.user_id == user_id,
            Job.kind == JobKind.ENCODING,
            Job.state.in_((JobState.READY, JobState.RUNNING)),
            Job.cancel_requested.is_(False),
        )
        .order_by(Job.created_at)
    )
    messages = []
    for job, file in rows.tuples():
        is_running = job.state == JobState.RUNNING
        messages += (
            _running(Queue.ENCODING, file, job.progress)
            if is_running
            else [_message(Queue.ENCODING, Action.DISPATCHED, file)]
        )
    return messages


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
    messages = []
    for export, file in rows.tuples():
        is_running = export.status == ExportStatus.PROGRESSING
        actions = (Action.STARTED, Action.PROGRESS) if is_running else (Action.DISPATCHED,)
        messages += [export_message(file, export, action, progress=export.progress) for action in actions]
    return messages


def _running(queue: Queue, file: File, progress: int) -> list[PollingMessage]:
    return [
        _message(queue, Action.STARTED, file, progress=progress),
        _message(queue, Action.PROGRESS, file, progress=progress),
    ]


def _message(queue: Queue, action: Action, file: File, *, progress: int = 0) -> PollingMessage:
    return event(queue, action, slug=file.slug, progress=progress, name=file.name)
