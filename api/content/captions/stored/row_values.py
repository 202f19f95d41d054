"""Caption lines as the driver of a database takes them. It imports little: see `api/content/captions/large/`."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from api.platform.db.search_words import search_text
from pipelines.captions.json_form import place_to_json
from pipelines.captions.texts.stored_words import words_to_store
from pipelines.messages.lines import CaptionLine

Rows = Sequence[tuple[Any, ...]]
"""The values of `INSERTED` for each line, as the driver of a database takes them."""

INSERTED = (
    "id",
    "track_id",
    "start_ms",
    "end_ms",
    "text",
    "search_text",
    "words",
    "words_shift_ms",
    "doubts",
    "speaker",
    "place",
    "locked",
    "forced",
    "revision",
    "written_by",
    "flags",
    "log_probability",
)


def rows_of(lines: Sequence[CaptionLine], track_id: uuid.UUID, *, revision: int, sqlite: bool) -> Rows:
    """The rows of these lines. 20,000 take a second, so make them before the transaction that writes them."""
    return [_row(line, track_id, revision, sqlite) for line in lines]


def _row(line: CaptionLine, track_id: uuid.UUID, revision: int, sqlite: bool) -> tuple[Any, ...]:
    link = line.link
    place = place_to_json(line.place)
    return (
        line.id.replace("-", "") if sqlite else uuid.UUID(line.id),
        track_id.hex if sqlite else track_id,
        line.start_ms,
        line.end_ms,
        line.text,
        search_text(line.text),
        json.dumps(words_to_store(line)),
        0,
        json.dumps(line.doubts),
        line.speaker,
        None if place is None else json.dumps(place),
        line.locked,
        line.forced,
        revision,
        None if link is None else link.by.value,
        "[]" if link is None else json.dumps(link.flags),
        None if link is None else link.log_probability,
    )
