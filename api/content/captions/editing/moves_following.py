"""How a translation moves when all lines of its source move."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import chain, zip_longest
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.editing.moves import ENDS, SHIFT, shift_of
from api.content.captions.models import CaptionLineRow, CaptionLink, CaptionTrack
from api.content.captions.stored.spans import SPAN, span_of
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditRefused
from pipelines.captions.lanes import by_lane
from pipelines.languages import language_label


async def moves_of_translation(
    session: AsyncSession, source: CaptionTrack, track: CaptionTrack, moves: Mapping[str, Any], *, back: bool
) -> dict[str, Any]:
    """The moves of a translation, for `apply_moves`. Call it before the source's lines move. Raises `EditRefused`."""
    sign = -1 if back else 1
    if SHIFT in moves:
        try:
            return await shift_of(session, track.id, sign * moves[SHIFT])
        except EditRefused as refused:
            raise EditRefused(
                Message(
                    "captions.translation_moves_too",
                    "The {language} translation moves too. {problem}",
                    language=language_label(track.language),
                    problem=str(refused),
                )
            ) from refused
    by = {uuid.UUID(line): sign * by for line, by in moves[ENDS].items()}
    return await _ends(session, source, track, by)


async def _ends(
    session: AsyncSession, source: CaptionTrack, track: CaptionTrack, by: Mapping[uuid.UUID, int]
) -> dict[str, Any]:
    """Ends that stand where their source's does move with it, as far as there is room."""
    spoken = select(CaptionLineRow.id, CaptionLineRow.end_ms).where(CaptionLineRow.track_id == source.id)
    ends = {line_id: end for line_id, end in await session.execute(spoken)}
    linked = (
        select(CaptionLink.target_id, CaptionLink.source_id)
        .where(CaptionLink.track_id == track.id)
        .order_by(CaptionLink.target_id, CaptionLink.position)
    )
    # The last source line of each line remains.
    last = {target_id: source_id for target_id, source_id in await session.execute(linked)}
    statement = select(*SPAN).where(CaptionLineRow.track_id == track.id).order_by(CaptionLineRow.start_ms)
    lanes = by_lane([span_of(row) for row in await session.execute(statement)])
    moved: dict[str, int] = {}
    for row, following in chain.from_iterable(zip_longest(lane, lane[1:]) for lane in lanes):
        assert row is not None
        source_id = last.get(row.id)
        if source_id is None or source_id not in by or ends.get(source_id) != row.end_ms:
            continue
        wanted = max(row.start_ms + 1, row.end_ms + by[source_id])
        limit = wanted if following is None else min(wanted, following.start_ms)
        if limit != row.end_ms:
            moved[row.id.hex] = limit - row.end_ms
    return {ENDS: moved} if moved else {}
