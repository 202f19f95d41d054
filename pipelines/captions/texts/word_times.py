"""Estimate times for words without measured ones: spread them over their room, longer words longer."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.texts.text import word_units
from pipelines.messages.lines import CaptionWord, Origin


def spread(texts: Sequence[str], start_ms: int, end_ms: int, origin: Origin) -> list[CaptionWord]:
    """Words that follow each other without a gap from `start_ms` to `end_ms`. Without room, the spans are empty."""
    room = max(0, end_ms - start_ms)
    total = sum(len(text) for text in texts)
    words: list[CaptionWord] = []
    before = 0
    for text in texts:
        after = before + len(text)
        words.append(
            CaptionWord(start_ms + room * before // total, start_ms + room * after // total, text, origin=origin)
        )
        before = after
    return words


def spread_text(text: str, start_ms: int, end_ms: int, origin: Origin) -> tuple[CaptionWord, ...]:
    """The words of a text without word times."""
    return tuple(spread(word_units(text), start_ms, end_ms, origin))
