"""Puts the pieces that the runtime returns together into words and segments."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serve.core.text.words import is_unspaced
from serve.tasks.transcription.guard import doubts_of_probability, doubts_of_words
from serve.tasks.transcription.messages import AudioWindow, Segment, Word
from serve.tasks.transcription.spread import loud_span, spread

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FRAME_S = 0.08
"""One frame of the encoder: what a piece lasts where the model gives no durations."""
SEGMENT_PAUSE_MS = 600
SENTENCE_ENDS = (".", "?", "!", "…")
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a word; one that begins a word begins with a space. Times are seconds from the window's start."""

    text: str
    start_s: float
    end_s: float
    log_probability: float


def pieces_of(
    texts: Sequence[str], starts_s: Sequence[float], durations_s: Sequence[float], log_probabilities: Sequence[float]
) -> list[Piece]:
    """The runtime's lists as one. Durations and probabilities may be missing; without the latter all are certain."""
    lasting = durations_s if len(durations_s) == len(texts) else [FRAME_S] * len(texts)
    likely = log_probabilities if len(log_probabilities) == len(texts) else [0.0] * len(texts)
    return [
        Piece(text, start, start + max(FRAME_S, lasts), probability)
        for text, start, lasts, probability in zip(texts, starts_s, lasting, likely, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class ScoredWord:
    """A word on the clock of the file, with the mean log probability of its pieces."""

    text: str
    start_ms: int
    end_ms: int
    log_probability: float


def words_of(pieces: Sequence[Piece], *, start_ms: int, duration_ms: int) -> list[ScoredWord]:
    """The words that the pieces make. Times rise and stay inside the sound, which begins at `start_ms`."""
    parts: list[list[Piece]] = []
    for piece in pieces:
        if not parts or piece.text.startswith((" ", "\u2581")) or is_unspaced(piece.text):
            parts.append([])
        parts[-1].append(piece)
    words: list[ScoredWord] = []
    for index, part in enumerate(parts):
        text = _text(part)
        if not text:
            continue
        following = parts[index + 1][0].start_s if index + 1 < len(parts) else math.inf
        start = min(round(part[0].start_s * 1000), duration_ms)
        end = max(start, min(round(min(part[-1].end_s, following) * 1000), duration_ms))
        likely = sum(piece.log_probability for piece in part) / len(part)
        words.append(ScoredWord(text, start_ms + start, start_ms + end, likely))
    return words


def words_without_times(text: str, window: AudioWindow, levels: NDArray[np.float32]) -> list[ScoredWord]:
    """The words of a text, spread over the part of the window that is loud enough for speech."""
    start, end = loud_span(levels)
    placed = spread(text, window.start_ms + start, window.start_ms + end)
    return [ScoredWord(each, word_start, word_end, 0.0) for each, word_start, word_end in placed]


def segments_of(
    words: Sequence[ScoredWord], window: AudioWindow, language: str, *, levels: NDArray[np.float32]
) -> tuple[Segment, ...]:
    """Sentences, cut at long pauses too. `levels` are the window's `frame_levels`."""
    groups: list[list[ScoredWord]] = []
    for word in words:
        last = groups[-1][-1] if groups else None
        if last is None or last.text.endswith(SENTENCE_ENDS) or word.start_ms - last.end_ms >= SEGMENT_PAUSE_MS:
            groups.append([])
        groups[-1].append(word)
    return tuple(_segment(group, window, language, levels) for group in groups)


def _segment(group: Sequence[ScoredWord], window: AudioWindow, language: str, levels: NDArray[np.float32]) -> Segment:
    words = tuple(
        Word(each.start_ms, each.end_ms, each.text, min(1.0, math.exp(each.log_probability))) for each in group
    )
    average = sum(each.log_probability for each in group) / len(group)
    doubts = (*doubts_of_words(words, levels=levels, start_ms=window.start_ms), *doubts_of_probability(average))
    text = " ".join(word.text for word in words)
    return Segment(words[0].start_ms, words[-1].end_ms, text, words, language, doubts)


def _text(part: Sequence[Piece]) -> str:
    """The word as text. Letters outside the model's alphabet come as the bytes of their UTF-8 form."""
    raw = b""
    for piece in part:
        byte = _BYTE.fullmatch(piece.text)
        raw += bytes([int(byte[1], 16)]) if byte else piece.text.encode()
    return raw.decode(errors="replace").replace("\u2581", " ").strip()
