"""Read the lines of a track as values, with the links of a translation."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.links import Sources, is_linked, sources_of_lines, sources_of_track
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.stored.rows import STORED, line_of, line_of_stored
from api.platform.db.expressions import in_list
from pipelines.messages.lines import CaptionLine

_BATCH = 2_000


async def sources_for(session: AsyncSession, track: CaptionTrack) -> Sources | None:
    """What all lines of a translation are linked to; None for other tracks."""
    return await sources_of_track(session, track.id) if is_linked(track) else None


async def all_lines(session: AsyncSession, track: CaptionTrack) -> list[CaptionLine]:
    """The lines of a track in time order, decoded off the event loop."""
    rows = await queries.stored_lines(session, track.id)
    sources = await sources_for(session, track)
    return await asyncio.to_thread(lambda: [line_of_stored(row, sources) for row in rows])


async def lines_of(session: AsyncSession, track: CaptionTrack, rows: Sequence[CaptionLineRow]) -> list[CaptionLine]:
    """The lines of these rows of a track."""
    sources = await sources_of_lines(session, [row.id for row in rows]) if is_linked(track) else None
    return [line_of(row, sources) for row in rows]


async def lines_by_id(
    session: AsyncSession, track: CaptionTrack, line_ids: Sequence[uuid.UUID]
) -> dict[str, CaptionLine]:
    """The lines with these ids, as far as the track still has them."""
    found: dict[str, CaptionLine] = {}
    for start in range(0, len(line_ids), _BATCH):
        batch = in_list(session, CaptionLineRow.id, line_ids[start : start + _BATCH])
        found |= {line.id: line for line in await _read_lines(session, track, batch)}
    return found


async def lines_near(session: AsyncSession, track: CaptionTrack, start_ms: int, end_ms: int) -> list[CaptionLine]:
    """The lines that overlap the span, in time order."""
    return await _read_lines(session, track, and_(CaptionLineRow.start_ms < end_ms, CaptionLineRow.end_ms > start_ms))


async def _read_lines(session: AsyncSession, track: CaptionTrack, which: ColumnElement[bool]) -> list[CaptionLine]:
    # Columns, not objects: a session would return objects as it read them before this transaction changed the rows.
    statement = (
        select(*STORED)
        .where(CaptionLineRow.track_id == track.id, which)
        .order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
    )
    rows = (await session.execute(statement)).all()
    sources = await sources_of_lines(session, [row.id for row in rows]) if is_linked(track) else None
    return [line_of_stored(row, sources) for row in rows]
