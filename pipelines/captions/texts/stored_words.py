"""Words as they are stored: those spread evenly over their line are left out, because text and times give them back.

An imported file of 20,000 lines has 200,000 words that nobody measured, 20 MB of JSON beside 1 MB of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipelines.captions.json_form import word_from_json, word_to_json
from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin


def words_to_store(line: CaptionLine) -> list[dict[str, Any]]:
    """The words as JSON values, or an empty list when `words_from_stored` can rebuild them from text and times."""
    if _may_be_spread(line.words) and line.words == _spread(line.text, line.start_ms, line.end_ms):
        return []
    return [word_to_json(word) for word in line.words]


def words_from_stored(
    values: Sequence[dict[str, Any]], text: str, start_ms: int, end_ms: int, *, shift_ms: int = 0
) -> tuple[CaptionWord, ...]:
    """The words of a line. Stored words are `shift_ms` later than their stored times."""
    if not values:
        return _spread(text, start_ms, end_ms)
    if shift_ms:
        values = [
            {**value, "start_ms": value["start_ms"] + shift_ms, "end_ms": value["end_ms"] + shift_ms}
            for value in values
        ]
    return tuple(word_from_json(value) for value in values)


def _may_be_spread(words: Sequence[CaptionWord]) -> bool:
    return all(word.origin is Origin.HUMAN and not word.is_measured and not word.styles for word in words)


def _spread(text: str, start_ms: int, end_ms: int) -> tuple[CaptionWord, ...]:
    # Lines older than the limit hold up to 800,000 words, too many for any edit.
    return spread_text(text, start_ms, end_ms, Origin.HUMAN) if len(text) <= LINE_CHARS_MAX else ()
