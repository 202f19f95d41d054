"""All lines of a track as one text, which the database writes and a process of ours reads."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from api.content.captions.wire import json_to_wire
from pipelines.captions.json_form import line_to_json, place_from_json
from pipelines.captions.texts.stored_words import words_from_stored
from pipelines.messages.lines import CaptionLine


def lines_of_text(text: str) -> list[CaptionLine]:
    """The lines that `text_of_lines` read."""
    return [_line(values) for values in json.loads(text)]


def wire_of_text(text: str) -> bytes:
    """The lines as `LineOut`, each with the revision that changed it last."""
    lines: Sequence[Any] = json.loads(text)
    wire = [json_to_wire(line_to_json(_line(values)), values[-1]) for values in lines]
    return json.dumps(wire, ensure_ascii=False, separators=(",", ":")).encode()


def _line(values: Sequence[Any]) -> CaptionLine:
    """A line of what `queries.text_of_lines` selects, in that order."""
    line_id, start_ms, end_ms, text, stored, shift_ms, doubts, speaker, place, locked, forced, _ = values
    words = words_from_stored(stored, text, start_ms, end_ms, shift_ms=shift_ms)
    return CaptionLine(
        *(str(uuid.UUID(line_id)), start_ms, end_ms, text, words, tuple(doubts), speaker),
        place=place_from_json(place),
        locked=bool(locked),
        forced=bool(forced),
    )
