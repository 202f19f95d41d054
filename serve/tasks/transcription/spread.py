"""Times of words where no model gives any: the best guess by the length of what is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from serve.core.text.words import written_words
from serve.tasks.transcription.audio import FRAME_MS
from serve.tasks.transcription.guard import SPEECH_RANGE_DB

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def spread(text: str, start_ms: int, end_ms: int) -> Iterator[tuple[str, int, int]]:
    """Each word with its start and end, as long as its share of the letters."""
    texts = written_words(text)
    letters = sum(map(len, texts))
    before = 0
    for each in texts:
        start = start_ms + (end_ms - start_ms) * before // letters
        before += len(each)
        yield each, start, start_ms + (end_ms - start_ms) * before // letters


def loud_span(levels: NDArray[np.float32]) -> tuple[int, int]:
    """From the first to the last moment that is loud enough for speech, in milliseconds of the window."""
    loud = (levels > levels.max() - SPEECH_RANGE_DB).nonzero()[0]
    return int(loud[0]) * FRAME_MS, (int(loud[-1]) + 1) * FRAME_MS
