"""All lines of a track as one text, which the database writes (`text_of_lines` of the captions' queries)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from pipelines.captions.json_form import place_from_json
from pipelines.captions.texts.stored_words import words_from_stored
from pipelines.messages.lines import CaptionLine


def lines_of_text(text: str) -> list[CaptionLine]:
    """The lines of such a text."""
    return [line_of_values(values) for values in json.loads(text)]


def line_of_values(values: Sequence[Any]) -> CaptionLine:
    """One line of it, whose values are in the order in which the database writes them."""
    line_id, start_ms, end_ms, text, stored, shift_ms, doubts, speaker, place, locked, forced, _ = values
    words = words_from_stored(stored, text, start_ms, end_ms, shift_ms=shift_ms)
    return CaptionLine(
        *(str(uuid.UUID(line_id)), start_ms, end_ms, text, words, tuple(doubts), speaker),
        place=place_from_json(place),
        locked=bool(locked),
        forced=bool(forced),
    )
