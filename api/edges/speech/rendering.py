"""A text in each form that a program can ask for."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

from fastapi.responses import JSONResponse, PlainTextResponse, Response
from pydantic import BaseModel

from api.edges.speech.form import Granularity, ResponseFormat, SpeechForm
from api.edges.speech.logprobs import log_probability, logprobs_of
from api.edges.speech.schemas import (
    DiarizedSegment,
    DiarizedTranscription,
    SpeechSegment,
    SpeechWord,
    Transcription,
    Usage,
    VerboseTranscription,
)
from api.edges.speech.speakers import SpeakerTurns, diarized
from api.edges.speech.text import SpeechText
from api.edges.speech.work import ENGLISH
from pipelines.captions.forms.form import CaptionFormat
from pipelines.captions.forms.registry import MEDIA_TYPES
from pipelines.captions.reading.srt import format_srt
from pipelines.captions.reading.vtt import format_vtt
from pipelines.languages import language_label, whisper_code
from pipelines.messages.translate import TargetLine
from serve.tasks.transcription.messages import Segment

_CENTISECOND_MS = 10


def answer_of(text: SpeechText, form: SpeechForm) -> Response:
    """Takes a while for hours of sound."""
    match form.response_format:
        case ResponseFormat.TEXT:
            return PlainTextResponse(f"{text.text}\n")
        case ResponseFormat.SRT:
            return Response(format_srt(text.lines()), media_type=MEDIA_TYPES[CaptionFormat.SRT])
        case ResponseFormat.VTT:
            language = text.request.language if text.english is None else ENGLISH
            return Response(format_vtt(text.lines(), language), media_type=MEDIA_TYPES[CaptionFormat.VTT])
        case ResponseFormat.VERBOSE_JSON:
            return _json(_verbose(text, form.timestamp_granularities))
        case ResponseFormat.DIARIZED_JSON:
            return _json(
                DiarizedTranscription(
                    duration=text.seconds, text=text.text, segments=segments_of(text), usage=_usage(text)
                )
            )
        case ResponseFormat.JSON:
            logprobs = logprobs_of(text.segments) if form.wants_logprobs else None
            return _json(Transcription(text=text.text, logprobs=logprobs, usage=_usage(text)))


def segments_of(text: SpeechText) -> list[DiarizedSegment]:
    """The text by speaker."""
    return diarized(text.segments, text.said or SpeakerTurns(turns=()))


def _json(answer: BaseModel) -> JSONResponse:
    return JSONResponse(answer.model_dump(mode="json", exclude_none=True))


def _usage(text: SpeechText) -> Usage:
    return Usage(seconds=math.ceil(text.seconds))


def _verbose(text: SpeechText, granularities: Sequence[Granularity]) -> VerboseTranscription:
    is_english = text.english is not None
    return VerboseTranscription(
        task="translate" if text.request.task == "translate" else "transcribe",
        language=_name_of(ENGLISH if is_english else text.request.language),
        duration=text.seconds,
        text=text.text,
        segments=_segments(text) if Granularity.SEGMENT in granularities else None,
        # Nobody measured when the words of a translation are spoken.
        words=_words(text.segments) if Granularity.WORD in granularities and not is_english else None,
        usage=_usage(text),
    )


def _name_of(language: str) -> str:
    """`icelandic` for `is-IS`, as OpenAI names languages."""
    return language_label(whisper_code(language) or language).lower()


def _segments(text: SpeechText) -> list[SpeechSegment]:
    return [
        SpeechSegment(
            id=index,
            seek=part.start_ms // _CENTISECOND_MS,
            start=part.start_ms / 1000,
            end=part.end_ms / 1000,
            text=part.text,
            avg_logprob=_log_probability(part),
            compression_ratio=_compression_ratio(part.text),
        )
        for index, part in enumerate(text.parts)
    ]


def _words(segments: Sequence[Segment]) -> list[SpeechWord]:
    return [
        SpeechWord(word=word.text, start=word.start_ms / 1000, end=word.end_ms / 1000)
        for segment in segments
        for word in segment.words
    ]


def _log_probability(part: Segment | TargetLine) -> float:
    if isinstance(part, TargetLine):
        return part.log_probability or 0.0
    logs = [log_probability(word.confidence) for word in part.words]
    return sum(logs) / len(logs) if logs else 0.0


def _compression_ratio(text: str) -> float:
    """As Whisper measures it: high for a text that repeats itself."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 1.0
