"""Puts the pieces that the runtime returns together into words and segments."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serve.tasks.transcription.guard import doubts_of_probability, doubts_of_words
from serve.tasks.transcription.messages import AudioWindow, Segment, Word

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


def segments_of(
    pieces: Sequence[Piece], window: AudioWindow, language: str, *, levels: NDArray[np.float32]
) -> tuple[Segment, ...]:
    """Sentences, cut at long pauses too. `levels` are the window's `frame_levels`."""
    groups: list[list[tuple[Word, float]]] = []
    for word, likely in _words(pieces, window):
        last = groups[-1][-1][0] if groups else None
        if last is None or last.text.endswith(SENTENCE_ENDS) or word.start_ms - last.end_ms >= SEGMENT_PAUSE_MS:
            groups.append([])
        groups[-1].append((word, likely))
    return tuple(_segment(group, window, language, levels) for group in groups)


def _segment(
    group: Sequence[tuple[Word, float]], window: AudioWindow, language: str, levels: NDArray[np.float32]
) -> Segment:
    words = tuple(word for word, _ in group)
    average = sum(likely for _, likely in group) / len(group)
    doubts = (*doubts_of_words(words, levels=levels, start_ms=window.start_ms), *doubts_of_probability(average))
    text = " ".join(word.text for word in words)
    return Segment(words[0].start_ms, words[-1].end_ms, text, words, language, doubts)


def _words(pieces: Sequence[Piece], window: AudioWindow) -> list[tuple[Word, float]]:
    """Each word and the mean log probability of its pieces. Times rise and stay inside the window."""
    parts: list[list[Piece]] = []
    for piece in pieces:
        if not parts or piece.text.startswith((" ", "\u2581")):
            parts.append([])
        parts[-1].append(piece)
    words: list[tuple[Word, float]] = []
    for index, part in enumerate(parts):
        text = _text(part)
        if not text:
            continue
        following = parts[index + 1][0].start_s if index + 1 < len(parts) else math.inf
        start = min(round(part[0].start_s * 1000), window.duration_ms)
        end = max(start, min(round(min(part[-1].end_s, following) * 1000), window.duration_ms))
        likely = sum(piece.log_probability for piece in part) / len(part)
        confidence = min(1.0, math.exp(likely))
        words.append((Word(window.start_ms + start, window.start_ms + end, text, confidence), likely))
    return words


def _text(part: Sequence[Piece]) -> str:
    """The word as text. Letters outside the model's alphabet come as the bytes of their UTF-8 form."""
    raw = b""
    for piece in part:
        byte = _BYTE.fullmatch(piece.text)
        raw += bytes([int(byte[1], 16)]) if byte else piece.text.encode()
    return raw.decode(errors="replace").replace("\u2581", " ").strip()
