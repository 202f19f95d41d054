"""Turns the alignment of a decoding with its audio into words whose times are ordered and inside the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from serve.tasks.transcription.audio import FRAME_MS
from serve.tasks.transcription.messages import Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

QUIET_RANGE_DB = 40.0
"""Frames this far below the loudest of the window count as a pause when a word's edges are trimmed."""
SPARED_MS = 60
"""Trimming leaves this much of the pause, for the soft start of a consonant."""
SHORTEST_MS = 40
"""No word is shorter, if the window has room."""


@dataclass(frozen=True, slots=True)
class AlignedWord:
    """One word of an alignment: its times in seconds from the window's start, and its number of text tokens."""

    text: str
    start_s: float
    end_s: float
    probability: float
    tokens: int


def words_by_stretch(
    aligned: Sequence[AlignedWord],
    token_counts: Sequence[int],
    *,
    levels: NDArray[np.float32],
    duration_ms: int,
    start_ms: int,
    spaces: bool = True,
) -> list[tuple[Word, ...]]:
    """The words of each stretch, on the clock of the file.

    `levels` are the `frame_levels` of the window. `token_counts` are the stretches' numbers of text tokens: the
    alignment runs over all of them in order. A word whose tokens lie in two stretches belongs to the first. Words
    without text are left out.
    With `spaces`, a part that does not begin with a space belongs to the word before it: "o" and "'clock" are one.
    """
    times = _spaced(aligned, duration_ms)
    result: list[tuple[Word, ...]] = []
    index = 0
    borrowed = 0
    for count in token_counts:
        words: list[Word] = []
        used = borrowed
        while index < len(aligned) and used < count:
            word = aligned[index]
            used += word.tokens
            if text := word.text.strip():
                start, end = trimmed(levels, *times[index])
                spoken = Word(start_ms + start, start_ms + end, text, max(0.0, min(1.0, word.probability)))
                if words and spaces and not word.text.startswith(" "):
                    spoken = _joined(words.pop(), spoken)
                words.append(spoken)
            index += 1
        borrowed = max(0, used - count)
        result.append(tuple(words))
    return result


def _joined(first: Word, second: Word) -> Word:
    return Word(first.start_ms, second.end_ms, first.text + second.text, min(first.confidence, second.confidence))


def _spaced(aligned: Sequence[AlignedWord], duration_ms: int) -> list[tuple[int, int]]:
    """Times of the words: inside the window, in order, without overlap and, where there is room, none empty."""
    # Several words can share a frame where the model ran ahead of the audio: move later ones on, then move those
    # beyond the end back.
    times: list[tuple[int, int]] = []
    last = 0
    for word in aligned:
        least = SHORTEST_MS if word.text.strip() else 0
        start = max(last, round(word.start_s * 1000))
        last = max(start + least, round(word.end_s * 1000))
        times.append((start, last))
    bound = duration_ms
    for index in range(len(times) - 1, -1, -1):
        start, end = times[index]
        least = SHORTEST_MS if aligned[index].text.strip() else 0
        end = min(bound, end)
        bound = max(0, min(start, end - least))
        times[index] = (bound, end)
    return times


def trimmed(levels: NDArray[np.float32], start: int, end: int) -> tuple[int, int]:
    """The word's times without the pauses at its edges.

    The alignment counts the pause before a word as part of it; the samples show better where sound begins.
    """
    first, last = start // FRAME_MS, -(-end // FRAME_MS)
    part = levels[first:last]
    if not len(part):
        return start, end
    loud = (part >= float(levels.max()) - QUIET_RANGE_DB).nonzero()[0]
    if not len(loud):
        return start, end
    loud_from = (first + int(loud[0])) * FRAME_MS
    loud_to = (first + int(loud[-1]) + 1) * FRAME_MS
    new_start = max(start, loud_from - SPARED_MS)
    new_end = min(end, loud_to + SPARED_MS)
    if new_end - new_start < SHORTEST_MS:
        return start, end
    return new_start, new_end
