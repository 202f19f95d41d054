"""Caption lines as rows and as values."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Text, cast, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.links import Sources, insert_links, with_link
from api.content.captions.models import CaptionLineRow
from api.content.captions.stored.row_values import INSERTED, Rows, rows_of
from api.platform.db.search_queue import MANY_LINES, index_later
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.json_form import place_from_json
from pipelines.captions.texts.stored_words import words_from_stored
from pipelines.messages.lines import CaptionLine

# SQLite takes at most 32,766 values in a statement.
_BATCH = 2_000

_INSERTED_AT_ONCE = 5_000


def line_of(row: CaptionLineRow, sources: Sources | None = None) -> CaptionLine:
    """The line of a row. `sources` has what the lines of a translation are linked to; None for other tracks."""
    words = words_from_stored(row.words, row.text, row.start_ms, row.end_ms, shift_ms=row.words_shift_ms)
    doubts, place = tuple(row.doubts), place_from_json(row.place)
    span = (row.start_ms, row.end_ms)
    line = CaptionLine(
        *(str(row.id), *span, row.text, words, doubts, row.speaker),
        place=place,
        locked=row.locked,
        forced=row.forced,
    )
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
    CaptionLineRow.forced,
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
        *(str(stored.id), *span, stored.text, words, doubts, stored.speaker),
        place=place,
        locked=stored.locked,
        forced=stored.forced,
    )
    if sources is None:
        return line
    return with_link(line, stored.written_by, json.loads(stored.flags), stored.log_probability, sources)


_JSON = frozenset({"words", "doubts", "place", "flags"})


def is_sqlite(session: AsyncSession) -> bool:
    return session.get_bind().dialect.name == "sqlite"


async def insert_lines(
    session: AsyncSession, track_id: uuid.UUID, lines: Sequence[CaptionLine], *, revision: int, rows: Rows | None = None
) -> None:
    """`rows` has the lines as `rows_of` makes them, where that is done already."""
    if not lines:
        return
    sqlite = is_sqlite(session)
    if rows is None:
        rows = await asyncio.to_thread(rows_of, lines, track_id, revision=revision, sqlite=sqlite)
    if len(rows) >= MANY_LINES:
        await index_later(session)
    await session.flush()
    # The driver's own statement: SQLAlchemy's takes ten times as long for 20,000 lines.
    connection = await session.connection()
    values = ", ".join("?" if sqlite else "CAST(%s AS JSONB)" if name in _JSON else "%s" for name in INSERTED)
    statement = f"INSERT INTO {CaptionLineRow.__tablename__} ({', '.join(INSERTED)}) VALUES ({values})"
    for start in range(0, len(rows), _INSERTED_AT_ONCE):
        await connection.exec_driver_sql(statement, list(rows[start : start + _INSERTED_AT_ONCE]))
    await insert_links(session, track_id, lines)


async def write_result(
    session: AsyncSession, track_id: uuid.UUID, result: EditResult, *, revision: int, rows: Rows | None = None
) -> None:
    """Apply an edit's result to the rows. `rows` as for `insert_lines`."""
    if len(result.before) >= MANY_LINES:
        await index_later(session)
    mine = CaptionLineRow.track_id == track_id
    removal = delete(CaptionLineRow).where(mine).execution_options(synchronize_session=False)
    if len(result.before) >= MANY_LINES and await _count(session, track_id) == len(result.before):
        await session.execute(removal)
    else:
        touched = list({uuid.UUID(line.id) for line in (*result.before, *result.after)})
        for start in range(0, len(touched), _BATCH):
            # Name the track too: an id alone would reach lines of another file.
            await session.execute(removal.where(CaptionLineRow.id.in_(touched[start : start + _BATCH])))
    await insert_lines(session, track_id, result.after, revision=revision, rows=rows)


async def _count(session: AsyncSession, track_id: uuid.UUID) -> int:
    statement = select(func.count()).where(CaptionLineRow.track_id == track_id)
    return await session.scalar(statement) or 0
