"""Makes times of words from the frames of their letters."""

from __future__ import annotations

import math
from collections.abc import Sequence

from serve.tasks.alignment.letters import Spelling
from serve.tasks.alignment.messages import AlignedWord
from serve.tasks.alignment.viterbi import TokenSpan

LEAD_MS = 40
"""A CTC model shows a letter once it has heard some of it."""
TAIL_MS = 80
"""The last letter is shown before it has died away."""
JOINED_MS = 200
"""Words with less than this between their letters follow each other without a pause."""


def word_times(
    spans: Sequence[TokenSpan], spelling: Spelling, *, words: int, frame_ms: float, start_ms: int, end_ms: int
) -> tuple[AlignedWord, ...]:
    """A time for each word, in order and inside the window."""
    letters: list[list[TokenSpan]] = [[] for _ in range(words)]
    for span, owner in zip(spans, spelling.owners, strict=True):
        if owner is not None:
            letters[owner].append(span)
    heard = [(start_ms + spans[0].first * frame_ms, start_ms + (spans[-1].last + 1) * frame_ms) for spans in letters]
    placed: list[AlignedWord] = []
    for index, (first, last) in enumerate(heard):
        begin = max(placed[-1].end_ms if placed else start_ms, round(first - LEAD_MS))
        following = round(heard[index + 1][0] - LEAD_MS) if index + 1 < words else end_ms
        is_joined = index + 1 < words and following - last < JOINED_MS
        end = following if is_joined else min(following, round(last + TAIL_MS))
        score = math.exp(sum(span.log_probability for span in letters[index]) / len(letters[index]))
        begin = min(begin, end_ms)
        placed.append(AlignedWord(begin, min(max(begin, end), end_ms), min(1.0, score)))
    return tuple(placed)
