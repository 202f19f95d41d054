"""What changed in a track since a revision, so that a page need not fetch 5,000 lines for one that somebody edited."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.history import History
from api.content.captions.loading import lines_since
from api.content.captions.models import CaptionLineRow, CaptionRevision, CaptionTrack
from api.content.captions.stored.revision_lines import values_of_text
from api.content.captions.tracks import find_tracks
from api.people.access.rules import offers_change
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import in_list

CHANGES_MAX = 50
"""Beyond so many changes the whole track is as quick to fetch."""
_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Newer:
    """Lines as `LineOut` in JSON, ids of lines that are gone, the newest revision, and what `offers_change` says."""

    track: CaptionTrack
    may_change: bool
    lines: list[dict[str, Any]]
    removed: list[str]
    history: History


async def newer_lines(
    session: AsyncSession, viewer: Viewer, key: str, language: str | None, since: int
) -> Newer | None:
    """What changed after revision `since`. None when the page has to fetch everything."""
    chosen = (await find_tracks(session, viewer, key)).choose(language)
    track = chosen.track
    if track is None or chosen.is_live or not 0 <= track.revision - since <= CHANGES_MAX:
        return None
    statement = select(
        CaptionRevision.number,
        CaptionRevision.step_of,
        CaptionRevision.language_after,
        cast(CaptionRevision.before, Text).label("before"),
        cast(CaptionRevision.after, Text).label("after"),
    ).where(CaptionRevision.track_id == track.id)
    rows = (await session.execute(statement.where(CaptionRevision.number > since))).all()
    if len(rows) != track.revision - since or any(row.language_after is not None for row in rows):
        return None
    reversed_ones = {row.step_of for row in rows if row.step_of is not None}
    if reversed_ones:
        steps = (await session.execute(statement.where(CaptionRevision.number.in_(reversed_ones)))).all()
        if len(steps) != len(reversed_ones) or any(row.language_after is not None for row in steps):
            return None
        rows = [*rows, *steps]
    touched = await asyncio.to_thread(_ids, [text for row in rows for text in (row.before, row.after)])
    present: set[str] = set()
    ids = [uuid.UUID(each) for each in touched]
    for start in range(0, len(ids), _BATCH):
        batch = in_list(session, CaptionLineRow.id, ids[start : start + _BATCH])
        found = await session.scalars(select(CaptionLineRow.id).where(batch, CaptionLineRow.track_id == track.id))
        present |= {str(each) for each in found}
    return Newer(
        track,
        offers_change(viewer, chosen.file),
        await lines_since(session, track, since),
        sorted(touched - present),
        await queries.history(session, track.id),
    )


def _ids(texts: Iterable[str]) -> set[str]:
    return {str(value["id"]) for text in texts for value in values_of_text(text)}
