"""How preparing a file (`upload`) and making its playback copy (`encoding`) change its rows."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload, UploadStatus
from api.content.arrivals.transitions import move_with_work
from api.content.files.log import record_of_file
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.transitions import FILE_STATUS
from api.content.files.webhooks import facts_of
from api.content.preparation.shots import SHOTS_JOB
from api.content.preparation.work import encode_work, enqueue_work, transcribe_work
from api.people.access.audience import notice_of
from api.people.audit.actions import AuditAction
from api.people.ledger.errors import QuotaExceeded
from api.people.webhooks.emission import emit
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import is_begun_again
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import FileFailed, FileTranscribed
from cluster.resources import MEDIA_TASK_CPUS
from cluster.wording.message import Message
from pipelines.media.virus_scan import MALWARE
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.requests import ENCODE, INGEST, EncodeRequest, IngestRequest
from pipelines.messages.results import EncodeResult, IngestResult

NO_AUDIO = Message(
    "preparation.no_audio",
    "This video has no sound, so there is nothing to transcribe. You can still write captions by hand.",
)


async def _notice(
    session: AsyncSession, file: File, topic: Topic, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    is_sound = file.kind == FileKind.AUDIO
    message = event(topic, action, slug=file.slug, name=file.name, progress=progress, reason=reason, is_sound=is_sound)
    return await notice_of(session, file, message)


async def _announce(
    session: AsyncSession, file: File, topic: Topic, action: Action, *, progress: int = 0, reason: str | None = None
) -> None:
    add_event(session, await _notice(session, file, topic, action, progress=progress, reason=reason))


async def _move_upload(session: AsyncSession, file: File, status: UploadStatus, error: str | None = None) -> None:
    upload = await session.get(Upload, file.upload_id, with_for_update=True) if file.upload_id else None
    if upload is not None and move_with_work(upload, status):
        upload.error = error


class UploadHandler(Handler[IngestResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        FILE_STATUS.move(file, FileStatus.PROCESSING)
        file.progress = 0
        await _move_upload(session, file, UploadStatus.PROCESSING)
        await _announce(session, file, Topic.UPLOAD, Action.STARTED)

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return []
        file.progress = job.progress
        file.phase = progress.phase
        return [await _notice(session, file, Topic.UPLOAD, Action.PROGRESS, progress=job.progress)]

    async def on_done(self, session: AsyncSession, job: Job, result: IngestResult) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        file.kind = result.kind
        file.duration_ms = result.duration_ms
        file.width, file.height = result.width, result.height
        file.facts = result.facts
        file.audio_key = result.audio_key
        file.channels_key = result.channels_key
        file.peaks_key = result.peaks_key
        file.spectrogram_key = result.spectrogram_key
        file.poster_key = result.poster_key
        file.plays_in_browser = result.plays_in_browser
        file.phase = ""
        file.progress = 100
        await _move_upload(session, file, UploadStatus.COMPLETED)
        if not file.plays_in_browser and file.playback_key is None:
            await enqueue_work(session, file, encode_work(file), after=job)
        if file.audio_key is None:
            await _end_without_transcription(session, file)
        else:
            await enqueue_transcription(session, file, job)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        FILE_STATUS.move(file, FileStatus.FAILED)
        file.error = failure.reason
        file.phase = ""
        if failure.code == MALWARE:
            remove_later(session, keys=[file.original_key])
            record_of_file(session, None, AuditAction.FILE_INFECTED, file)
        await _move_upload(session, file, UploadStatus.FAILED, failure.reason)
        await _announce(session, file, Topic.UPLOAD, Action.FAILED, reason=failure.reason)
        await emit(session, file, FileFailed(file=facts_of(file), step="preparation", reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None and not await is_begun_again(session, job):
            # Refused when the file ended before its job did.
            FILE_STATUS.try_move(file, FileStatus.ABANDONED)
            file.phase = ""
            await _move_upload(session, file, UploadStatus.CANCELLED)


async def _end_without_transcription(session: AsyncSession, file: File) -> None:
    """A file without sound is finished once it is prepared: there is nothing to transcribe."""
    FILE_STATUS.move(file, FileStatus.COMPLETED)
    file.engine_note = NO_AUDIO
    await _announce(session, file, Topic.UPLOAD, Action.COMPLETED, progress=100, reason=NO_AUDIO)
    await emit(session, file, FileTranscribed(file=facts_of(file), lines=0, note=NO_AUDIO))


async def enqueue_transcription(session: AsyncSession, file: File, job: Job) -> None:
    """Queue the transcription in the transaction that marks the file as prepared, or say which minutes are missing."""
    try:
        async with session.begin_nested():
            await enqueue_work(session, file, await transcribe_work(session, file), after=job)
    except QuotaExceeded as refused:
        await _refuse_transcription(session, file, refused)
        return
    FILE_STATUS.move(file, FileStatus.TRANSCRIBING)
    # The next phase has not begun. The 100 in the event belongs to the finished one.
    file.progress = 0
    await _announce(session, file, Topic.UPLOAD, Action.TRANSCRIBING, progress=100)
    await _announce(session, file, Topic.TRANSCRIBE, Action.DISPATCHED)


async def _refuse_transcription(session: AsyncSession, file: File, refused: QuotaExceeded) -> None:
    """The file stays as it is prepared: it can be watched, captioned by hand and started again."""
    FILE_STATUS.move(file, FileStatus.FAILED)
    file.error, file.error_code = refused.message, refused.code
    message = event(
        Topic.TRANSCRIBE, Action.FAILED, slug=file.slug, name=file.name, reason=refused.message, code=refused.code
    )
    add_event(session, await notice_of(session, file, message))
    failed = FileFailed(file=facts_of(file), step="transcription", reason=refused.message, code=refused.code)
    await emit(session, file, failed)


class EncodingHandler(Handler[EncodeResult]):
    """The playback copy is made alongside the transcription, and the file's own status does not wait for it.

    The copy's state is read from its job, so a cancelled one needs nothing here.
    """

    async def on_started(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None:
            await _announce(session, file, Topic.ENCODING, Action.STARTED)

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        file = await session.get(File, job.subject_id, with_for_update=True)
        return [await _notice(session, file, Topic.ENCODING, Action.PROGRESS, progress=job.progress)] if file else []

    async def on_done(self, session: AsyncSession, job: Job, result: EncodeResult) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        file.playback_key = result.playback_key
        file.facts = {**file.facts, "playback_mime": result.mime}
        await _announce(session, file, Topic.ENCODING, Action.COMPLETED, progress=100)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None:
            await _announce(session, file, Topic.ENCODING, Action.FAILED, reason=failure.reason)


INGEST_JOB = JobType(
    kind=JobKind.UPLOAD,
    title=Message("preparation.title", "Preparing the file"),
    request=IngestRequest,
    result=IngestResult,
    flow=INGEST,
    cpus=MEDIA_TASK_CPUS,
    handler=UploadHandler(),
    summary_fields=("filename", "language"),
)
ENCODE_JOB = JobType(
    kind=JobKind.ENCODING,
    title=Message("preparation.playback", "Preparing for playback"),
    request=EncodeRequest,
    result=EncodeResult,
    flow=ENCODE,
    cpus=MEDIA_TASK_CPUS,
    handler=EncodingHandler(),
    summary_fields=("kind", "duration_ms"),
)
JOB_TYPES: tuple[AnyJobType, ...] = (INGEST_JOB, ENCODE_JOB, SHOTS_JOB)
