"""The jobs of a speech request: decode its sound, transcribe it and, when English is wanted, translate the text."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.glossary.spoken import spoken_terms
from api.edges.speech.models import SpeechRequest
from api.edges.speech.speakers import WantedSpeakers
from api.people.api_keys.usage import charge, give_back
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.jobs.models import Job
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import SpeechOptions, SpeechSoundRequest, TranscribeRequest
from pipelines.messages.results import SpeechSoundResult
from pipelines.messages.speakers import SpeakersRequest
from pipelines.messages.translate import SourceLine, TranslateRequest

ENGLISH = "en"
TEXT_KINDS = (JobKind.SPEECH_TEXT, JobKind.SPEECH_SHORT)
"""A request has one of them, which transcribes."""
PRIVATE_KINDS = (JobKind.SPEECH_SPEAKERS, JobKind.SPEECH_ENGLISH)
"""Their requests hold names and what was said."""
SPEECH_KINDS = (JobKind.SPEECH_SOUND, *TEXT_KINDS, *PRIVATE_KINDS)
KINDS_WITH_TERMS = (JobKind.SPEECH_SOUND, *TEXT_KINDS)
"""Their requests hold terms, of the program and of the glossary."""


def source_folder(request_id: uuid.UUID) -> str:
    """The prefix of what a program sent, or of its sound."""
    return f"speech/{request_id}"


async def queue_sound(session: AsyncSession, request: SpeechRequest, size_bytes: int, options: SpeechOptions) -> Job:
    wanted = SpeechSoundRequest(source_key=request.source_key, **dict(options))
    return await _queue(session, request, JobKind.SPEECH_SOUND, wanted, work=size_bytes)


async def queue_text(
    session: AsyncSession,
    request: SpeechRequest,
    sound: SpeechSoundResult,
    options: SpeechOptions,
    *,
    after: Job | None = None,
) -> None:
    """Queue the transcription, and reserve its minutes. Raises `QuotaExceeded` and `KeyExhausted`.

    `after` is the job that decoded the sound, None for a short one.
    """
    request.duration_ms = sound.duration_ms
    wanted = TranscribeRequest(
        file_id=str(request.id),
        audio_key=sound.audio_key,
        duration_ms=sound.duration_ms,
        language=request.language,
        # A speech model takes the first terms: what the program says of this sound comes before the glossary.
        terms=(*options.terms, *await spoken_terms(session, request.user_id, request.team_id)),
        temperature=options.temperature,
        voice=options.voice,
    )
    kind = JobKind.SPEECH_SHORT if after is None else JobKind.SPEECH_TEXT
    job = await _queue(session, request, kind, wanted, work=sound.duration_ms, after=after)
    await reserve_for(session, job, request, duration_ms=sound.duration_ms)
    seconds = -(-sound.duration_ms // 1000)
    request.charged_month = await charge(session, request.key_id, seconds)
    request.charged_seconds = seconds


def voices_folder(request_id: uuid.UUID) -> str:
    """The prefix of the references that a program sent."""
    return f"speech/{request_id}-voices"


async def queue_speakers(session: AsyncSession, request: SpeechRequest, text: Job) -> None:
    wanted = WantedSpeakers.from_json(request.speakers or {})
    speakers = SpeakersRequest(
        file_id=str(request.id),
        audio_key=TranscribeRequest.from_json(text.request).audio_key or "",
        duration_ms=request.duration_ms or 0,
        speakers=wanted.count,
        references=wanted.references,
    )
    await _queue(session, request, JobKind.SPEECH_SPEAKERS, speakers, work=speakers.duration_ms, after=text)


async def queue_english(session: AsyncSession, request: SpeechRequest, text: Job, lines: Sequence[CaptionLine]) -> None:
    wanted = TranslateRequest(
        file_id=str(request.id),
        track_id=str(request.id),
        source_language=request.language,
        target_language=ENGLISH,
        lines=tuple(
            SourceLine(id=str(index), start_ms=line.start_ms, end_ms=line.end_ms, text=line.text)
            for index, line in enumerate(lines)
        ),
        caption_rules=rules_for(ENGLISH),
    )
    await _queue(session, request, JobKind.SPEECH_ENGLISH, wanted, work=len(lines), after=text)


async def uncharge(session: AsyncSession, request: SpeechRequest) -> None:
    """Give the key its minutes back, of work that did not finish."""
    if request.charged_month is not None:
        await give_back(session, request.key_id, request.charged_month, request.charged_seconds)
        request.charged_month, request.charged_seconds = None, 0


async def _queue(
    session: AsyncSession,
    request: SpeechRequest,
    kind: JobKind,
    wanted: JsonMessage,
    *,
    work: int,
    after: Job | None = None,
) -> Job:
    return await enqueue(
        session,
        kind=kind,
        subject_id=request.id,
        file_id=None,
        user_id=request.user_id,
        priority=await priority_of(session, request.user_id, request.team_id),
        dedup_key=f"{kind}:{request.id}",
        request=wanted,
        work=work,
        parent_id=None if after is None else after.id,
    )
