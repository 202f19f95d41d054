"""What a transcription does to the rows of its file, and the events it sends."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.actions import TRANSCRIBE
from api.content.captions.editing.writing import write
from api.content.captions.errors import LanguageTaken
from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.captions.reading import all_lines
from api.content.captions.tracks import add_track, captions_language, require_free, tracks_of
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.transitions import FILE_STATUS
from api.content.files.webhooks import facts_of
from api.content.preparation.work import enqueue_work, speakers_work
from api.people.access.audience import notice_of
from api.people.auth.viewer import Author
from api.people.ledger.models import Reason
from api.people.ledger.service import release
from api.people.webhooks.emission import emit
from api.platform.capabilities.queries import capability_of
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import is_begun_again
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import FileFailed, FileTranscribed
from cluster.resources import WAITING_TASK_CPUS
from cluster.sentences import paragraph
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.languages import AUTO
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Chunk, Progress, StageFailed
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import TRANSCRIBE as TRANSCRIBE_FLOW
from pipelines.messages.requests import TranscribeRequest
from pipelines.messages.results import TranscribeResult, engine_record
from pipelines.messages.speakers import Turn
from pipelines.speakers.assign import assign
from serve.tasks.diarization.messages import DIARIZATION

OFFLINE_ENGINE = "pocketsphinx"
OFFLINE_NOTE = Message(
    "captions.offline_note",
    "The offline engine was used, because no Whisper model is installed. It knows English only, writes no punctuation "
    "and errs more often.",
)
NO_SPEECH = Message(
    "captions.no_speech",
    "No speech was found in this file, so there are no captions. You can still write some by hand.",
)
UNCHANGED = Message("captions.unchanged", "Your captions are as they were.")

_ENGINE_MAX = 100


async def _notice(
    session: AsyncSession,
    file: File,
    action: Action,
    *,
    progress: int = 0,
    reason: str | None = None,
    code: str | None = None,
) -> Notice:
    message = event(
        Topic.TRANSCRIBE,
        action,
        slug=file.slug,
        name=file.name,
        progress=progress,
        reason=reason,
        code=code,
        is_sound=file.kind == FileKind.AUDIO,
    )
    return await notice_of(session, file, message)


class TranscribeHandler(Handler[TranscribeResult]):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        FILE_STATUS.move(file, FileStatus.TRANSCRIBING)
        file.error = file.error_code = None
        # Another attempt starts from the beginning, however far the last one came.
        file.progress, file.phase = job.progress, ""
        add_event(session, await _notice(session, file, Action.STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> list[Notice]:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None or job.cancel_requested:
            # A cancelled job runs on for a moment, while the file may already be transcribed in another language.
            return []
        file.progress = job.progress
        file.phase = progress.phase
        return [await _notice(session, file, Action.PROGRESS, progress=job.progress)]

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> list[Notice]:
        """Tell the page to fetch the draft again. The queue stores the chunk itself."""
        file = await session.get(File, job.subject_id)
        return (
            []
            if file is None or job.cancel_requested
            else [await _notice(session, file, Action.PROGRESS, progress=min(99, job.progress))]
        )

    async def on_done(self, session: AsyncSession, job: Job, result: TranscribeResult) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        try:
            await _save(session, file, job, result)
        except LanguageTaken as taken:
            await self.on_failed(session, job, StageFailed("captions", taken.message, retryable=False))
            await release(session, job.id, reason=Reason.FAILED)
            return
        if result.language != AUTO:
            file.language = result.language
        # A model may be named by its folder, whose path on the server is for administrators only.
        file.engine = f"{result.engine.engine} {PurePath(result.engine.model).name}"[:_ENGINE_MAX]
        if file.audio_key is not None:
            file.engine_note = _note(result)
        FILE_STATUS.move(file, FileStatus.COMPLETED)
        file.progress = 100
        file.phase = ""
        file.error = file.error_code = None
        add_event(session, await _notice(session, file, Action.COMPLETED, progress=100))
        transcribed = FileTranscribed(
            file=facts_of(file), lines=len(result.lines), engine=file.engine, note=file.engine_note
        )
        await emit(session, file, transcribed)
        if file.detects_speakers and result.lines:
            if await _can_detect_speakers(session, file):
                await enqueue_work(session, file, await speakers_work(session, file), after=job)
            else:
                omitted = event(Topic.SPEAKERS, Action.OMITTED, slug=file.slug, name=file.name)
                add_event(session, await notice_of(session, file, omitted))

    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        file.phase = ""
        reason = failure.reason
        if (language := await captions_language(session, file)) is None:
            FILE_STATUS.move(file, FileStatus.FAILED)
        else:
            FILE_STATUS.move(file, FileStatus.COMPLETED)
            file.language, file.progress = language, 100
            reason = paragraph(reason, UNCHANGED)
        failed = await _notice(session, file, Action.FAILED, reason=reason, code=failure.code or None)
        # An unsupported language is a question to the person, not an accident, so its reason stands alone.
        file.error = reason if failure.code == LANGUAGE_UNSUPPORTED else failed.message.message
        file.error_code = failed.message.code
        add_event(session, failed)
        code = failure.code or None
        await emit(session, file, FileFailed(file=facts_of(file), step="transcription", reason=reason, code=code))

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None and not await is_begun_again(session, job):
            # Refused when the file ended before its job did.
            FILE_STATUS.try_move(file, FileStatus.ABANDONED)
            file.phase = ""


async def _can_detect_speakers(session: AsyncSession, file: File) -> bool:
    """A recording with one person per channel needs no model."""
    return file.channels_key is not None or (await capability_of(session, DIARIZATION)).may_work


def _note(result: TranscribeResult) -> str | None:
    """What a reader should know about how the captions were made."""
    if not result.lines:
        return NO_SPEECH
    return OFFLINE_NOTE if result.engine.engine == OFFLINE_ENGINE else result.engine.note or None


async def _save(session: AsyncSession, file: File, job: Job, result: TranscribeResult) -> None:
    """Write the lines. They replace existing captions as one change that can be undone."""
    track = (await tracks_of(session, file)).transcription
    if track is None:
        language, origin = result.language, TrackOrigin.TRANSCRIPTION
        await add_track(session, file, language, origin, _lines(result), engine=engine_record(result.engine))
        return
    await require_free(session, file.id, result.language, besides=track)
    await _replace(session, track, job, result)
    track.engine = engine_record(result.engine)


async def _replace(session: AsyncSession, track: CaptionTrack, job: Job, result: TranscribeResult) -> None:
    before = await all_lines(session, track)
    change = await asyncio.to_thread(_replacement, before, _lines(result))
    languages: dict[str, Any] = {"language_before": track.language, "language_after": result.language}
    track.language = result.language
    await write(session, Author(job.user_id), track, TRANSCRIBE, change, **languages)


def _replacement(before: Sequence[CaptionLine], lines: Sequence[CaptionLine]) -> EditResult:
    """All lines replaced. Who speaks is kept by time, until the detection that follows says better."""
    turns = [Turn(start_ms=line.start_ms, end_ms=line.end_ms, speaker=line.speaker) for line in before if line.speaker]
    return EditResult(tuple(before), tuple(assign(lines, turns)))


def _lines(result: TranscribeResult) -> list[CaptionLine]:
    return [replace(line, id=str(uuid.uuid4())) for line in result.lines]


TRANSCRIBE_JOB = JobType(
    kind=JobKind.TRANSCRIBE,
    title=Message("transcription.work", "Transcribing"),
    request=TranscribeRequest,
    result=TranscribeResult,
    flow=TRANSCRIBE_FLOW,
    cpus=WAITING_TASK_CPUS,
    handler=TranscribeHandler(),
    price=Price(Message("transcription.price", "Transcription"), Fraction(1)),
    has_model=True,
    summary_fields=(
        "language",
        "duration_ms",
        "beam_size",
        *(f"caption_rules.{name}" for name in ("max_row", "max_rows", "max_speed", "min_ms", "max_ms", "gap_ms")),
    ),
)
JOB_TYPES: tuple[AnyJobType, ...] = (TRANSCRIBE_JOB,)
