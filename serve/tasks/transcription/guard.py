"""The hallucination guard: finds doubtful results of a speech model and picks the better of two.

Thresholds of compression, probability and silence are Whisper's own (openai/whisper `transcribe.py`).
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serve.core.text.loops import has_loop
from serve.tasks.transcription.audio import FRAME_MS
from serve.tasks.transcription.doubts import Doubt
from serve.tasks.transcription.messages import Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_COMPRESSION_RATIO = 2.4
MIN_AVERAGE_LOG_PROBABILITY = -1.0
GIBBERISH_LOG_PROBABILITY = -3.0
"""The model gives each token less than 5 %. Neither accents nor noise do that to words that were really spoken."""
MAX_NO_SPEECH_PROBABILITY = 0.6
MAX_CHARACTERS_PER_SECOND = 40.0
"""Nobody speaks faster: the quickest speakers reach about 25 characters a second."""
SPEECH_RANGE_DB = 45.0
"""Speech is never further below the loudest moment of its window."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """One decoding of one window: its tokens and the model's own scores for them."""

    tokens: tuple[int, ...]
    text: str
    average_log_probability: float
    no_speech_probability: float
    duration_ms: int

    @property
    def is_silence(self) -> bool:
        """Whether the model found silence more likely."""
        return is_probably_silence(self.no_speech_probability, self.average_log_probability)

    def doubts(self) -> tuple[Doubt, ...]:
        """The checks that the whole decoding fails. A silent window fails none: it is dropped instead."""
        if self.is_silence:
            return ()
        found = doubts_of_text(self.text, duration_ms=self.duration_ms)
        return (*found, *doubts_of_probability(self.average_log_probability))


def better(first: Decoding, second: Decoding) -> Decoding:
    """The one that fails fewer checks, then the one the model finds more probable. `first` on a tie."""

    def rank(decoding: Decoding) -> tuple[int, float]:
        return (-len(decoding.doubts()), decoding.average_log_probability)

    return second if rank(second) > rank(first) else first


def doubts_of_text(text: str, *, duration_ms: int) -> tuple[Doubt, ...]:
    """The checks that the text alone fails, given the length of the audio it comes from."""
    found = []
    if compression_ratio(text) > MAX_COMPRESSION_RATIO:
        found.append(Doubt.REPETITIVE)
    if has_loop(text.split()):
        found.append(Doubt.LOOP)
    if len(text) > 20 and len(text) > MAX_CHARACTERS_PER_SECOND * duration_ms / 1000:
        found.append(Doubt.TOO_DENSE)
    return tuple(found)


def is_probably_silence(no_speech_probability: float, average_log_probability: float) -> bool:
    """Whether silence is probable and the text is not."""
    return no_speech_probability > MAX_NO_SPEECH_PROBABILITY and average_log_probability < MIN_AVERAGE_LOG_PROBABILITY


def doubts_of_probability(average_log_probability: float) -> tuple[Doubt, ...]:
    """The checks that the mean over the tokens fails."""
    if average_log_probability < GIBBERISH_LOG_PROBABILITY:
        return (Doubt.UNLIKELY, Doubt.GIBBERISH)
    return (Doubt.UNLIKELY,) if average_log_probability < MIN_AVERAGE_LOG_PROBABILITY else ()


def doubts_of_words(words: Sequence[Word], *, levels: NDArray[np.float32], start_ms: int) -> tuple[Doubt, ...]:
    """The checks that a segment's words fail, given the `frame_levels` of the window that starts at `start_ms`."""
    if not words:
        return ()
    text = " ".join(word.text for word in words)
    found = doubts_of_text(text, duration_ms=max(1, words[-1].end_ms - words[0].start_ms))
    if len(levels):
        quiet = float(levels.max()) - SPEECH_RANGE_DB
        silent = sum(_loudest(levels, word, start_ms) < quiet for word in words)
        if silent * 2 > len(words):
            found = (*found, Doubt.OUTSIDE_SPEECH)
    return found


def _loudest(levels: NDArray[np.float32], word: Word, start_ms: int) -> float:
    first = max(0, (word.start_ms - start_ms) // FRAME_MS)
    last = max(first + 1, -(-(word.end_ms - start_ms) // FRAME_MS))
    part = levels[first:last]
    return float(part.max()) if len(part) else float("-inf")


def compression_ratio(text: str) -> float:
    """How many times smaller zlib makes the text: over 2.4 it mostly repeats itself."""
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) if raw else 0.0
