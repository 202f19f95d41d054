"""What the jobs of a speech request do to its row. The program that waits reads that row."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.speech.models import SpeechRequest, SpeechState, SpeechTask
from api.edges.speech.speakers import SpeakerTurns
from api.edges.speech.transitions import SPEECH_STATE
from api.edges.speech.work import (
    ENGLISH,
    queue_english,
    queue_speakers,
    queue_text,
    source_folder,
    uncharge,
    voices_folder,
)
from api.people.api_keys.errors import KeyExhausted
from api.people.ledger.errors import QuotaExceeded
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, Price
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind
from cluster.resources import MEDIA_TASK_CPUS, SHORT_TASK_CPUS, WAITING_TASK_CPUS
from cluster.wording.message import Message
from pipelines.flows.tasks import job_prefix
from pipelines.languages import AUTO, whisper_code
from pipelines.messages.attempt import StageFailed
from pipelines.messages.requests import SPEECH_SOUND, TRANSCRIBE, SpeechSoundRequest, TranscribeRequest
from pipelines.messages.results import FlowResult, SpeechSoundResult, TranscribeResult
from pipelines.messages.speakers import SPEAKERS, SpeakersRequest, SpeakersResult
from pipelines.messages.translate import TRANSLATE, TranslateRequest, TranslateResult

_PRICE = Price(Message("speech.price", "Speech API"), Fraction(1))

TURNS = "turns"
"""The key of the part that a detection leaves."""
UNAVAILABLE = "unavailable"
"""The code of a failure that is ours: the same call may work later."""


async def _working(session: AsyncSession, job: Job) -> SpeechRequest | None:
    """The request while its program waits, locked; None once it is over or gone."""
    request = await session.get(SpeechRequest, job.subject_id, with_for_update=True)
    return request if request is not None and request.state == SpeechState.WORKING else None


class _SpeechHandler(Handler[FlowResult]):
    async def on_failed(self, session: AsyncSession, job: Job, failure: StageFailed) -> None:
        request = await _working(session, job)
        if request is not None:
            code = UNAVAILABLE if failure.retryable else failure.code or None
            await _fail(session, request, failure.reason, code)

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None:
        request = await _working(session, job)
        if request is not None:
            SPEECH_STATE.move(request, SpeechState.CANCELLED)
            await uncharge(session, request)


class SoundHandler(_SpeechHandler):
    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        assert isinstance(result, SpeechSoundResult)
        request = await _working(session, job)
        if request is None:
            remove_later(session, prefixes=[job_prefix(str(job.id))])
            return
        options = SpeechSoundRequest.from_json(job.request)
        try:
            async with session.begin_nested():
                await queue_text(session, request, result, options, after=job)
        except (QuotaExceeded, KeyExhausted) as refused:
            await session.refresh(request)
            await _fail(session, request, refused.message, refused.code)
            remove_later(session, prefixes=[job_prefix(str(job.id))])

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        """The sound that the program sent is of no more use."""
        remove_later(session, prefixes=[source_folder(job.subject_id)])
        await _remove_references(session, job)


class TextHandler(_SpeechHandler):
    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        assert isinstance(result, TranscribeResult)
        request = await _working(session, job)
        if request is None:
            return
        # Used for good, whatever a translation does.
        request.charged_month = None
        if result.language != AUTO:
            request.language = result.language
        if request.task == SpeechTask.TRANSLATE and result.lines and whisper_code(result.language) != ENGLISH:
            await queue_english(session, request, job, result.lines)
        elif request.speakers is not None and result.lines:
            await queue_speakers(session, request, job)
        else:
            SPEECH_STATE.move(request, SpeechState.DONE)

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        request = await _working(session, job)
        if failure is None and request is not None and request.speakers is not None:
            # Who speaks is heard in the same sound.
            return
        _remove_sound(session, job)
        await _remove_references(session, job)


class SpeakersHandler(_SpeechHandler):
    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        assert isinstance(result, SpeakersResult)
        request = await _working(session, job)
        if request is None:
            return
        said = SpeakerTurns(turns=result.turns, names=result.names)
        await _forget_parts(session, job)
        session.add(JobChunk(job_id=job.id, key=TURNS, fence=job.fence, payload=said.to_json()))
        SPEECH_STATE.move(request, SpeechState.DONE)

    async def on_ended(self, session: AsyncSession, job: Job, failure: StageFailed | None) -> None:
        request = await session.get(SpeechRequest, job.subject_id)
        if request is None or request.state != SpeechState.DONE:
            await _forget_parts(session, job)
        await _remove_references(session, job)
        if job.parent_id is not None and (text := await session.get(Job, job.parent_id)) is not None:
            _remove_sound(session, text)


def _remove_sound(session: AsyncSession, text: Job) -> None:
    """The sound of a text that nothing reads any more."""
    if text.kind == JobKind.SPEECH_SHORT:
        remove_later(session, prefixes=[source_folder(text.subject_id)])
    elif text.parent_id is not None:
        remove_later(session, prefixes=[job_prefix(str(text.parent_id))])


async def _remove_references(session: AsyncSession, job: Job) -> None:
    """Voices that the program sent go with the last job of its call, however that ends."""
    request = await session.get(SpeechRequest, job.subject_id)
    is_over = request is None or (request.speakers is not None and request.state != SpeechState.WORKING)
    if is_over:
        remove_later(session, prefixes=[voices_folder(job.subject_id)])


async def _forget_parts(session: AsyncSession, job: Job) -> None:
    """The parts of a detection describe voices, which are biometric data."""
    parts = delete(JobChunk).where(JobChunk.job_id == job.id)
    await session.execute(parts.execution_options(synchronize_session=False))


class EnglishHandler(_SpeechHandler):
    async def on_done(self, session: AsyncSession, job: Job, result: FlowResult) -> None:
        request = await _working(session, job)
        if request is not None:
            SPEECH_STATE.move(request, SpeechState.DONE)


async def _fail(session: AsyncSession, request: SpeechRequest, reason: str, code: str | None) -> None:
    SPEECH_STATE.move(request, SpeechState.FAILED)
    request.error, request.error_code = reason, code
    await uncharge(session, request)


JOB_TYPES: tuple[AnyJobType, ...] = (
    JobType(
        kind=JobKind.SPEECH_SOUND,
        title=Message("speech.reading", "Reading the sound of an API call"),
        request=SpeechSoundRequest,
        result=SpeechSoundResult,
        flow=SPEECH_SOUND,
        cpus=MEDIA_TASK_CPUS,
        handler=SoundHandler(),
    ),
    JobType(
        kind=JobKind.SPEECH_TEXT,
        title=Message("speech.transcribing", "Transcribing an API call"),
        request=TranscribeRequest,
        result=TranscribeResult,
        flow=TRANSCRIBE,
        cpus=WAITING_TASK_CPUS,
        handler=TextHandler(),
        price=_PRICE,
        has_model=True,
        summary_fields=("language", "duration_ms"),
    ),
    JobType(
        kind=JobKind.SPEECH_SHORT,
        title=Message("speech.transcribing_short", "Transcribing a short API call"),
        request=TranscribeRequest,
        result=TranscribeResult,
        flow=TRANSCRIBE,
        cpus=SHORT_TASK_CPUS,
        handler=TextHandler(),
        price=_PRICE,
        has_model=True,
        summary_fields=("language", "duration_ms"),
    ),
    JobType(
        kind=JobKind.SPEECH_SPEAKERS,
        title=Message("speech.speakers", "Telling the speakers of an API call apart"),
        request=SpeakersRequest,
        result=SpeakersResult,
        flow=SPEAKERS,
        cpus=WAITING_TASK_CPUS,
        handler=SpeakersHandler(),
        has_model=True,
        summary_fields=("duration_ms", "speakers"),
    ),
    JobType(
        kind=JobKind.SPEECH_ENGLISH,
        title=Message("speech.translating", "Translating an API call"),
        request=TranslateRequest,
        result=TranslateResult,
        flow=TRANSLATE,
        cpus=WAITING_TASK_CPUS,
        handler=EnglishHandler(),
        price=Price(Message("speech.price_english", "Speech API, into English"), Fraction(0)),
        has_model=True,
    ),
)
