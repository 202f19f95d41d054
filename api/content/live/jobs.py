"""What following a live recording does to the rows of its file, and the events it sends."""

from __future__ import annotations

from fractions import Fraction
from pathlib import PurePath

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack
from api.content.captions.tracks import tracks_of
from api.content.files.models import File, FileStatus
from api.content.files.transitions import FILE_STATUS
from api.content.files.webhooks import facts_of
from api.content.live.lines import append_passage
from api.content.live.models import LiveSession, LiveState
from api.content.live.service import announce, take_no_more
from api.content.preparation.work import enqueue_work, speakers_work
from api.content.translations import continuing
from api.people.access.audience import notice_of
from api.people.ledger.service import settle
from api.people.webhooks.emission import emit
from api.platform.capabilities.queries import capability_of
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import FileFailed, FileTranscribed, LiveCaptions
from cluster.wording.message import Message
from pipelines.media.sound.journal import journal_of
from pipelines.messages.attempt import Chunk, Interim, Progress, StageFailed
from pipelines.messages.live import LIVE, PASSAGE, LiveOutlook, LiveRequest, LiveResult
from pipelines.messages.results import TranscribedWindow, engine_record
from serve.tasks.diarization.messages import DIARIZATION

_ENGINE_MAX = 100


class LiveHandler(Handler[LiveResult]):
    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        """Every two seconds: a translation that was still running when new lines came goes on with them."""
        live = await session.get(LiveSession, job.subject_id)
        if live is not None and live.translate_to and not job.cancel_requested:
            file = await session.get_one(File, job.subject_id, with_for_update=True)
            await continuing.go_on(session, file, live.translate_to)
        return []

    async def on_interim(self, session: AsyncSession, job: Job, interim: Interim) -> list[Notice]:
        assert isinstance(interim.payload, LiveOutlook)
        return await _outlook(session, job, interim.payload)

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> list[Notice]:
        if not chunk.key.startswith(PASSAGE):
            # The text that may still change follows at once, and says how many groups of final words there are.
            return []
        assert isinstance(chunk.payload, TranscribedWindow)
        # A recording of hours may meet many faults. Only several without progress in between mean that it cannot go on.
        job.attempt = 1
        if not chunk.payload.segments:
            # A silence.
            return []
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None and not job.cancel_requested:
            await append_passage(session, file, chunk.payload)
            live = await session.get(LiveSession, file.id)
            await continuing.go_on(session, file, [] if live is None else live.translate_to)
            passage = chunk.payload
            text = " ".join(segment.text for segment in passage.segments)
            captions = LiveCaptions(
                file=facts_of(file), index=passage.index, start_ms=passage.start_ms, end_ms=passage.end_ms, text=text
            )
            await emit(session, file, captions)
        return []

    async def on_done(self, session: AsyncSession, job: Job, result: LiveResult) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        recording = result.recording
        file.kind, file.duration_ms, file.facts = recording.kind, recording.duration_ms, recording.facts
        file.original_key, file.size_bytes = result.original_key, result.size_bytes
        file.audio_key, file.peaks_key = recording.audio_key, recording.peaks_key
        file.spectrogram_key, file.plays_in_browser = recording.spectrogram_key, recording.plays_in_browser
        file.engine = f"{result.engine.engine} {PurePath(result.engine.model).name}"[:_ENGINE_MAX]
        file.engine_note = result.engine.note or None
        track = (await tracks_of(session, file)).transcription
        if track is not None:
            track.engine = engine_record(result.engine)
        FILE_STATUS.move(file, FileStatus.COMPLETED)
        file.progress, file.phase, file.error = 100, "", None
        remove_later(session, prefixes=[journal_of(file.id)])
        await settle(session, job.id, -(-recording.duration_ms // 1000))
        await announce(session, file, Action.COMPLETED)
        transcribed = FileTranscribed(
            file=facts_of(file), lines=result.passages, engine=file.engine, note=file.engine_note
        )
        await emit(session, file, transcribed)
        live = await session.get(LiveSession, file.id)
        for language in [] if live is None else live.translate_to:
            await continuing.finish(session, file, language)
        if file.detects_speakers and track is not None:
            await _detect_speakers(session, file, track, job)

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        """The journal stays: another try reads it to its end."""
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        FILE_STATUS.move(file, FileStatus.FAILED)
        file.error, file.phase = failure.reason, ""
        await _close(session, file, failure.reason)
        message = event(Topic.LIVE, Action.FAILED, slug=file.slug, name=file.name, reason=failure.reason)
        add_event(session, await notice_of(session, file, message))
        await emit(session, file, FileFailed(file=facts_of(file), step="transcription", reason=failure.reason))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None:
            FILE_STATUS.try_move(file, FileStatus.ABANDONED)
            file.phase = ""
            await _close(session, file, None)


async def _outlook(session: AsyncSession, job: Job, outlook: LiveOutlook) -> list[Notice]:
    file = await session.get(File, job.subject_id)
    if file is None or job.cancel_requested:
        return []
    message = event(
        Topic.LIVE, Action.PROGRESS, slug=file.slug, name=file.name, revision=outlook.final, text=outlook.text
    )
    return [await notice_of(session, file, message)]


async def _close(session: AsyncSession, file: File, why: str | None) -> None:
    """No more sound is taken."""
    live = await session.get(LiveSession, file.id, with_for_update=True)
    if live is not None and live.state == LiveState.OPEN:
        await take_no_more(session, file, live, why)


async def _detect_speakers(session: AsyncSession, file: File, track: CaptionTrack, job: Job) -> None:
    if (await capability_of(session, DIARIZATION)).may_work:
        await enqueue_work(session, file, await speakers_work(session, file), after=job)
    else:
        omitted = event(Topic.SPEAKERS, Action.OMITTED, slug=file.slug, name=file.name)
        add_event(session, await notice_of(session, file, omitted))


LIVE_JOB = JobType(
    kind=JobKind.LIVE,
    title=Message("live.work", "Following a live recording"),
    request=LiveRequest,
    result=LiveResult,
    flow=LIVE,
    # Nobody who speaks waits for a slot: it holds none, and mostly waits itself.
    cpus=0.0,
    handler=LiveHandler(),
    price=Price(Message("live.price", "Live captions"), Fraction(1)),
    has_model=True,
    is_live=True,
    summary_fields=("language",),
)
JOB_TYPES: tuple[AnyJobType, ...] = (LIVE_JOB,)
