"""Reads what a speech endpoint answers: `verbose_json` with words, with segments alone, or only a text.

Nothing in an answer is trusted: times are brought into the window and into order, and what is no number is dropped.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from serve.core.text.language_names import code_of
from serve.core.text.words import written_words
from serve.tasks.transcription.guard import doubts_of_probability, doubts_of_words, is_probably_silence
from serve.tasks.transcription.messages import AudioWindow, Segment, Word
from serve.tasks.transcription.spread import spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANSWER_BYTES_MAX = 4 << 20
"""Thirty seconds of speech take 20 KB with every word."""


class UnreadableAnswer(ValueError):
    """The answer is in no form that a speech endpoint gives."""


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


_Number = Annotated[float | None, BeforeValidator(_finite)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")

    start: _Number = None
    end: _Number = None


class _Word(_Part):
    word: str = ""
    probability: _Number = None
    """Not in OpenAI's form; faster-whisper's servers give it."""


class _Segment(_Part):
    text: str = ""
    avg_logprob: _Number = None
    no_speech_prob: _Number = None


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str
    language: str | None = None
    words: list[_Word] | None = None
    segments: list[_Segment] | None = None


@dataclass(frozen=True, slots=True)
class RemoteText:
    """What an endpoint recognised in a window. `language` is a Whisper code, empty where it names none we know.

    `has_word_times`: it answers with words. A window without speech may have none of them.
    """

    segments: tuple[Segment, ...]
    language: str
    has_word_times: bool


def read_answer(content: bytes, window: AudioWindow, *, levels: NDArray[np.float32]) -> RemoteText:
    """`levels` are the window's `frame_levels`. Raises UnreadableAnswer."""
    if len(content) > ANSWER_BYTES_MAX:
        raise UnreadableAnswer
    try:
        answer = _Answer.model_validate(json.loads(content))
    except (ValidationError, ValueError, RecursionError):
        raise UnreadableAnswer from None
    language = window.options.language or code_of(answer.language or "")
    segments = tuple(
        _checked(words, average, window, language, levels=levels) for words, average in _spoken(answer, window)
    )
    return RemoteText(segments, language, answer.words is not None)


@dataclass(frozen=True, slots=True)
class _Timed:
    """A word on the clock of the file."""

    text: str
    start_ms: int
    end_ms: int
    probability: float | None


def _spoken(answer: _Answer, window: AudioWindow) -> Iterator[tuple[tuple[Word, ...], float]]:
    """The words of each segment and the mean log probability of its tokens."""
    parts = answer.segments or [_Segment(text=answer.text)]
    earliest = window.start_ms
    for part, timed in zip(parts, _by_segment(parts, _timed(answer.words or [], window), window), strict=True):
        # Where the endpoint gives no probabilities, nothing is doubted for them.
        average = 0.0 if part.avg_logprob is None else min(0.0, part.avg_logprob)
        if is_probably_silence(part.no_speech_prob or 0.0, average):
            continue
        if not timed:
            start, end = _span(part, window, earliest)
            timed = [_Timed(*placed, None) for placed in spread(part.text, start, end)]
        words = _in_order(timed, math.exp(average), earliest)
        if words:
            earliest = words[-1].end_ms
            yield words, average


def _timed(words: Sequence[_Word], window: AudioWindow) -> list[_Timed]:
    found = []
    for word in words:
        text = " ".join(word.word.split())
        if text and word.start is not None:
            start = _milliseconds(word.start, window)
            end = start if word.end is None else _milliseconds(word.end, window)
            found.append(_Timed(text, start, end, word.probability))
    return found


def _by_segment(parts: Sequence[_Segment], words: list[_Timed], window: AudioWindow) -> list[list[_Timed]]:
    """The words of each segment: OpenAI's form has one list for all of them."""
    texts = [written_words(part.text) for part in parts]
    if sum(map(len, texts)) == len(words):
        # They are the same words, and those of the segments have their punctuation, which OpenAI's own words lack.
        left = iter(words)
        return [[replace(next(left), text=text) for text in each] for each in texts]
    found: list[list[_Timed]] = []
    for following in parts[1:]:
        before = window.start_ms if following.start is None else _milliseconds(following.start, window)
        count = next((index for index, word in enumerate(words) if word.start_ms >= before), len(words))
        found.append(words[:count])
        words = words[count:]
    return [*found, words]


def _in_order(words: Sequence[_Timed], likely: float, earliest: int) -> tuple[Word, ...]:
    ordered = []
    for word in words:
        start = max(earliest, word.start_ms)
        earliest = max(start, word.end_ms)
        confidence = likely if word.probability is None else min(1.0, max(0.0, word.probability))
        ordered.append(Word(start, earliest, word.text, confidence))
    return tuple(ordered)


def _span(part: _Segment, window: AudioWindow, earliest: int) -> tuple[int, int]:
    start = earliest if part.start is None else max(earliest, _milliseconds(part.start, window))
    end = window.start_ms + window.duration_ms if part.end is None else _milliseconds(part.end, window)
    return start, max(start, end)


def _milliseconds(seconds: float, window: AudioWindow) -> int:
    inside = min(max(0.0, seconds * 1000), float(window.duration_ms))
    return window.start_ms + round(inside)


def _checked(
    words: tuple[Word, ...], average: float, window: AudioWindow, language: str, *, levels: NDArray[np.float32]
) -> Segment:
    doubts = (*doubts_of_words(words, levels=levels, start_ms=window.start_ms), *doubts_of_probability(average))
    text = " ".join(word.text for word in words)
    return Segment(words[0].start_ms, words[-1].end_ms, text, words, language, doubts)
