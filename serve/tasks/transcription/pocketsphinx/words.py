"""What PocketSphinx finds, as words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from serve.core.text.words import with_capital_i
from serve.tasks.transcription.messages import Word

FRAME_MS = 10

_VARIANT = re.compile(r"\(\d+\)$")
_FILLER = re.compile(r"^(<.*>|\[.*\]|\+\+.*\+\+)$")


def word_of(part: Sequence[Any], *, longest_ms: int) -> Word | None:
    """A word from a decoder's part (word, first frame, last frame, probability); None for pauses and noises.

    Times count from the beginning of the sound, which is `longest_ms` long.
    """
    name, first, last, probability = part
    if _FILLER.match(name):
        return None
    text = _VARIANT.sub("", name)
    text = with_capital_i(text)
    start = min(first * FRAME_MS, longest_ms)
    end = min((last + 1) * FRAME_MS, longest_ms)
    return Word(start, end, text, max(0.0, min(1.0, probability)))
