"""Caption lines as rows and as values."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Text, cast, delete, insert
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.links import Sources, insert_links, with_link
from api.captions.models import CaptionLineRow
from pipelines.captions.edit import EditResult
from pipelines.captions.json_form import place_from_json, place_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.stored_words import words_from_stored, words_to_store

# SQLite takes at most 32,766 values in a statement.
_BATCH = 500


def line_of(row: CaptionLineRow, sources: Sources | None = None) -> CaptionLine:
    """The line of a row. `sources` has what the lines of a translation are linked to; None for other tracks."""
    words = words_from_stored(row.words, row.text, row.start_ms, row.end_ms, shift_ms=row.words_shift_ms)
    doubts, place = tuple(row.doubts), place_from_json(row.place)
    span = (row.start_ms, row.end_ms)
    line = CaptionLine(str(row.id), *span, row.text, words, doubts, row.speaker, place=place, locked=row.locked)
    return line if sources is None else with_link(line, row.written_by, row.flags, row.log_probability, sources)


STORED = (
    CaptionLineRow.id,
    CaptionLineRow.start_ms,
    CaptionLineRow.end_ms,
    CaptionLineRow.text,
    cast(CaptionLineRow.words, Text).label("words"),
    CaptionLineRow.words_shift_ms,
    cast(CaptionLineRow.doubts, Text).label("doubts"),
    CaptionLineRow.speaker,
    cast(CaptionLineRow.place, Text).label("place"),
    CaptionLineRow.locked,
    CaptionLineRow.revision,
    CaptionLineRow.written_by,
    cast(CaptionLineRow.flags, Text).label("flags"),
    CaptionLineRow.log_probability,
)
"""The columns of a line with JSON as text, so that a file of 20,000 lines is decoded off the event loop."""


def line_of_stored(stored: Row[*tuple[Any, ...]], sources: Sources | None = None) -> CaptionLine:
    """The line of a row of `STORED`. `sources` as for `line_of`."""
    values = json.loads(stored.words)
    words = words_from_stored(values, stored.text, stored.start_ms, stored.end_ms, shift_ms=stored.words_shift_ms)
    doubts = tuple(json.loads(stored.doubts))
    place = None if stored.place is None else place_from_json(json.loads(stored.place))
    span = (stored.start_ms, stored.end_ms)
    line = CaptionLine(
        str(stored.id), *span, stored.text, words, doubts, stored.speaker, place=place, locked=stored.locked
    )
    if sources is None:
        return line
    return with_link(line, stored.written_by, json.loads(stored.flags), stored.log_probability, sources)


async def insert_lines(
    session: AsyncSession, track_id: uuid.UUID, lines: Sequence[CaptionLine], *, revision: int
) -> None:
    for start in range(0, len(lines), _BATCH):
        values = [_values(line, track_id, revision) for line in lines[start : start + _BATCH]]
        await session.execute(insert(CaptionLineRow), values)
    await insert_links(session, track_id, lines)


async def write_result(session: AsyncSession, track_id: uuid.UUID, result: EditResult, *, revision: int) -> None:
    """Apply an edit's result to the rows."""
    touched = [uuid.UUID(line.id) for line in (*result.before, *result.after)]
    for start in range(0, len(touched), _BATCH):
        batch = CaptionLineRow.id.in_(touched[start : start + _BATCH])
        # Name the track too: an id alone would reach lines of another file.
        await session.execute(
            delete(CaptionLineRow)
            .where(batch, CaptionLineRow.track_id == track_id)
            .execution_options(synchronize_session=False)
        )
    await insert_lines(session, track_id, result.after, revision=revision)


def _values(line: CaptionLine, track_id: uuid.UUID, revision: int) -> dict[str, Any]:
    return {
        "id": uuid.UUID(line.id),
        "track_id": track_id,
        "start_ms": line.start_ms,
        "end_ms": line.end_ms,
        "text": line.text,
        "words": words_to_store(line),
        "doubts": list(line.doubts),
        "speaker": line.speaker,
        "place": place_to_json(line.place),
        "locked": line.locked,
        "revision": revision,
        "written_by": None if line.link is None else line.link.by,
        "flags": [] if line.link is None else list(line.link.flags),
        "log_probability": None if line.link is None else line.link.log_probability,
    }
