"""Events that bring a page up to date on unfinished files and playback copies."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileKind, FileStatus
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, PollingMessage, Topic


async def unfinished_files(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    """Events for each file in preparation or transcription.

    Running work has its `Started`, whose sentence a reloaded page shows, and the progress it has reached.
    """
    files = await session.scalars(
        select(File)
        .where(
            may_see(viewer, File),
            File.status.in_((FileStatus.WAITING, FileStatus.PROCESSING, FileStatus.TRANSCRIBING)),
        )
        .order_by(File.created_at)
    )
    messages = []
    for file in files.all():
        messages += await _file(session, file)
    return messages


async def unfinished_playback(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    """The same for each playback copy in the making."""
    rows = await session.execute(
        select(Job, File)
        .join(File, File.id == Job.subject_id)
        .where(
            may_see(viewer, File),
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
            _running(Topic.ENCODING, file, job.progress)
            if is_running
            else [_message(Topic.ENCODING, Action.DISPATCHED, file)]
        )
    return messages


async def _file(session: AsyncSession, file: File) -> list[PollingMessage]:
    if file.status == FileStatus.WAITING:
        return [_message(Topic.UPLOAD, Action.DISPATCHED, file)]
    if file.status == FileStatus.PROCESSING:
        return _running(Topic.UPLOAD, file, file.progress)
    progress = await session.scalar(
        select(Job.progress).where(
            Job.subject_id == file.id,
            Job.kind == JobKind.TRANSCRIBE,
            Job.state == JobState.RUNNING,
            Job.cancel_requested.is_(False),
        )
    )
    prepared = _message(Topic.UPLOAD, Action.TRANSCRIBING, file, progress=100)
    if progress is None:
        return [prepared, _message(Topic.TRANSCRIBE, Action.DISPATCHED, file)]
    return [prepared, *_running(Topic.TRANSCRIBE, file, progress)]


def _running(topic: Topic, file: File, progress: int) -> list[PollingMessage]:
    return [
        _message(topic, Action.STARTED, file, progress=progress),
        _message(topic, Action.PROGRESS, file, progress=progress),
    ]


def _message(topic: Topic, action: Action, file: File, *, progress: int = 0) -> PollingMessage:
    is_sound = file.kind == FileKind.AUDIO
    return event(topic, action, slug=file.slug, progress=progress, name=file.name, is_sound=is_sound)
