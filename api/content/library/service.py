"""Changes a person makes to their files."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload, UploadStatus
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.captions.tracks import captions_language
from api.content.files import playback, queries
from api.content.files.language import require_known
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.schemas import PlaybackStatus
from api.content.files.transitions import FILE_STATUS
from api.content.files.transitions import UNFINISHED as UNFINISHED_FILE
from api.content.library.schemas import FileChange
from api.content.preparation.work import encode_work, enqueue_again, ingest_work, transcribe_work
from api.people.access.audience import notice_of
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Conflict, Invalid
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.wording.message import Message
from pipelines.timecode import address_of

NO_FRAMES = Message("library.no_frames", "This file has no picture, so its first frame has no address.")
NO_ADDRESS = Message(
    "library.no_address",
    "Write the start of the programme as hours:minutes:seconds:frames, for example 10:00:00:00.",
)
CANCELLED = Message("library.cancelled", "You cancelled this file.")
NOT_STOPPED = Message("library.not_stopped", "Only a file that failed or was cancelled can be started again.")
NOTHING_TO_CANCEL = Message(
    "library.nothing_to_cancel", "This file is not being worked on, so there is nothing to cancel."
)


class AlreadyTranscribed(Conflict):
    """A transcription keeps its language, finished or not. Only a new transcription changes it."""

    code = "already_transcribed"
    message = Message(
        "library.already_transcribed",
        "This file has been transcribed in its language. Transcribe it again to change that.",
    )


async def change(session: AsyncSession, viewer: Viewer, key: str, change: FileChange) -> File:
    file = await queries.find(session, viewer, key)
    if change.language is not None:
        await change_language(session, file, change.language)
    if change.name is not None:
        file.name = change.name
    if change.programme_start is not None:
        _start_at(file, change.programme_start)
    await session.flush()
    await _announce(session, file, Topic.FILE, Action.CHANGED)
    return file


def _start_at(file: File, start: str) -> None:
    """Set the time address of the first frame. Raises `Invalid` for what is none at the file's rate."""
    if file.fps is None:
        raise Invalid.field("programme_start", NO_FRAMES)
    address = address_of(start)
    if start and (address is None or address.hours > 23 or address.frames >= round(file.fps)):
        raise Invalid.field("programme_start", NO_ADDRESS)
    file.programme_start = start or None


async def change_language(session: AsyncSession, file: File, language: str) -> None:
    """Change the language of a file without captions. Raise `Invalid` or `AlreadyTranscribed`."""
    require_known(language)
    if language == file.language:
        return
    if file.status == FileStatus.TRANSCRIBING or await captions_language(session, file) is not None:
        raise AlreadyTranscribed
    file.language = language


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str) -> File:
    """Stop all work on a file. Finished results stay."""
    file = await queries.find(session, viewer, key)
    if file.status not in UNFINISHED_FILE:
        raise Conflict(NOTHING_TO_CANCEL)
    topic = Topic.TRANSCRIBE if file.status == FileStatus.TRANSCRIBING else Topic.UPLOAD
    await jobs.cancel(session, types, jobs.of_files([file.id]))
    await queries.lock(session, file)
    if file.status in (FileStatus.COMPLETED, FileStatus.FAILED):
        raise Conflict(NOTHING_TO_CANCEL)
    language = await captions_language(session, file)
    if language is not None and FILE_STATUS.try_move(file, FileStatus.COMPLETED):
        # Another transcription was cancelled: the captions it would have replaced are unchanged.
        file.language, file.progress, file.phase = language, 100, ""
    else:
        # Also a file with captions of its own whose preparation had not begun.
        FILE_STATUS.move(file, FileStatus.ABANDONED)
        file.error = CANCELLED
        file.phase = ""
    await _announce(session, file, topic, Action.ABANDONED)
    return file


async def retry(session: AsyncSession, viewer: Viewer, key: str) -> File:
    """Restart a failed or cancelled file at the unfinished step, after the parts that step has kept.

    A playback copy that was cancelled with the file is queued again too. The request stays the one that was frozen
    with the job, unless the person chose another language meanwhile.
    """
    file = await queries.find(session, viewer, key)
    kind = JobKind.TRANSCRIBE if file.audio_key else JobKind.UPLOAD
    # Jobs first, then the file, then the upload: everybody locks in this order.
    newest = await _newest_jobs(session, file, (kind, JobKind.ENCODING, JobKind.LIVE))
    await queries.lock(session, file)
    if file.status not in (FileStatus.FAILED, FileStatus.ABANDONED):
        raise Conflict(NOT_STOPPED)
    encoding = newest.get(JobKind.ENCODING)
    with_playback = not playback.is_ready(file) and playback.is_cancelled(encoding)
    file.error = file.error_code = None
    file.progress = 0
    live = newest.get(JobKind.LIVE)
    if live is not None and kind == JobKind.UPLOAD:
        # Its sound is in the journal still.
        await jobs.retry(session, live.id)
        FILE_STATUS.move(file, FileStatus.LIVE)
        await _announce(session, file, Topic.LIVE, Action.STARTED)
    elif kind == JobKind.TRANSCRIBE:
        await enqueue_again(session, file, await transcribe_work(session, file), newest.get(kind))
        FILE_STATUS.move(file, FileStatus.TRANSCRIBING)
        await _announce(session, file, Topic.TRANSCRIBE, Action.DISPATCHED)
    else:
        await enqueue_again(session, file, ingest_work(file), newest.get(kind))
        FILE_STATUS.move(file, FileStatus.WAITING)
        await _begin_upload_again(session, file)
        await _announce(session, file, Topic.UPLOAD, Action.DISPATCHED)
    if with_playback:
        await _queue_playback(session, file, encoding)
    return file


async def retry_playback(session: AsyncSession, viewer: Viewer, key: str) -> File:
    """Make the playback copy again after it failed or was cancelled. Raise `Conflict` when there is nothing to make."""
    file = await queries.find(session, viewer, key)
    encoding = (await _newest_jobs(session, file, (JobKind.ENCODING,))).get(JobKind.ENCODING)
    await queries.lock(session, file)
    played = playback.playback_of(file, encoding)
    if played.status == PlaybackStatus.READY:
        raise playback.PlaybackNotNeeded
    if played.status == PlaybackStatus.PREPARING:
        raise playback.PlaybackPreparing
    if played.status == PlaybackStatus.NONE:
        raise playback.PlaybackFailed(playback.NOT_PREPARED)
    await _queue_playback(session, file, encoding)
    return file


async def _newest_jobs(session: AsyncSession, file: File, kinds: Collection[JobKind]) -> dict[JobKind, Job]:
    """The newest job of each kind, locked, so that the second of two requests sees the first one's changes."""
    statement = (
        select(Job)
        .where(Job.file_id == file.id, Job.kind.in_(kinds))
        .order_by(Job.id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    rows = (await session.scalars(statement)).all()
    return {JobKind(job.kind): job for job in sorted(rows, key=lambda job: job.created_at)}


async def _queue_playback(session: AsyncSession, file: File, last: Job | None) -> None:
    await enqueue_again(session, file, encode_work(file), last)
    await _announce(session, file, Topic.ENCODING, Action.DISPATCHED)


async def _announce(session: AsyncSession, file: File, topic: Topic, action: Action) -> None:
    is_sound = file.kind == FileKind.AUDIO
    message = event(topic, action, slug=file.slug, name=file.name, is_sound=is_sound)
    add_event(session, await notice_of(session, file, message))


async def _begin_upload_again(session: AsyncSession, file: File) -> None:
    """Let the upload's status follow a file that is prepared again."""
    upload = await session.get(Upload, file.upload_id, with_for_update=True) if file.upload_id else None
    if upload is not None and upload.status in (UploadStatus.FAILED, UploadStatus.CANCELLED):
        UPLOAD_STATUS.move(upload, UploadStatus.WAITING)
        upload.error = None
