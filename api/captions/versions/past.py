"""The lines of a track as they were after an earlier revision, from snapshots and the history of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.actions import CaptionAction
from api.captions.models import CaptionRevision, CaptionTrack
from api.captions.reading import all_lines
from api.captions.revision_lines import result_of_text, unpack_lines
from api.captions.versions.models import CaptionSnapshot
from api.http.errors import NotFound
from pipelines.captions.edit import apply
from pipelines.captions.lines import CaptionLine
from pipelines.captions.moved_lines import moved

PRUNED = "This version is no longer kept. Choose a newer one, or one that has a name."

_COLUMNS = (
    CaptionRevision.number,
    CaptionRevision.action,
    cast(CaptionRevision.before, Text).label("before"),
    cast(CaptionRevision.after, Text).label("after"),
    CaptionRevision.moves,
    CaptionRevision.step_of,
)


async def lines_at(session: AsyncSession, track: CaptionTrack, number: int) -> list[CaptionLine]:
    """The lines after revision `number`, in time order; 0 is the track as it was made. Raises `NotFound`."""
    if number == track.revision:
        return await all_lines(session, track)
    if not 0 <= number < track.revision:
        raise NotFound(PRUNED)
    statement = (
        select(CaptionSnapshot.revision, CaptionSnapshot.lines)
        .where(CaptionSnapshot.track_id == track.id, CaptionSnapshot.revision >= number)
        .order_by(CaptionSnapshot.revision)
        .limit(1)
    )
    nearest = (await session.execute(statement)).tuples().one_or_none()
    newest = track.revision if nearest is None else nearest[0]
    rows = await _revisions(session, track, number, newest)
    if len(rows) != newest - number:
        if nearest is None:
            raise NotFound(PRUNED)
        # The changes in between are pruned, or the snapshot is much newer: walk from the present instead.
        nearest, newest = None, track.revision
        rows = await _revisions(session, track, number, newest)
        if len(rows) != newest - number:
            raise NotFound(PRUNED)
    made = await _steps(session, track, rows)
    now = None if nearest is not None else await all_lines(session, track)
    return await asyncio.to_thread(_walked_back, now, None if nearest is None else nearest[1], rows, made)


async def _revisions(session: AsyncSession, track: CaptionTrack, after: int, last: int) -> Sequence[Any]:
    statement = (
        select(*_COLUMNS)
        .where(CaptionRevision.track_id == track.id, CaptionRevision.number > after, CaptionRevision.number <= last)
        .order_by(CaptionRevision.number.desc())
    )
    return (await session.execute(statement)).all()


async def _steps(session: AsyncSession, track: CaptionTrack, rows: Sequence[Any]) -> Mapping[int, Any]:
    """The changes that undo and redo among these revisions reverse, by number."""
    numbers = {row.step_of for row in rows if row.step_of is not None}
    if not numbers:
        return {}
    statement = select(*_COLUMNS).where(CaptionRevision.track_id == track.id, CaptionRevision.number.in_(numbers))
    return {row.number: row for row in (await session.execute(statement)).all()}


def _walked_back(
    now: list[CaptionLine] | None, packed: str | None, rows: Sequence[Any], made: Mapping[int, Any]
) -> list[CaptionLine]:
    lines = unpack_lines(packed or "") if now is None else now
    for row in rows:
        lines = _before(lines, row, made)
    return sorted(lines, key=lambda line: (line.start_ms, line.id))


def _before(lines: list[CaptionLine], row: Any, made: Mapping[int, Any]) -> list[CaptionLine]:
    """The lines before a revision, from those after it."""
    is_empty = row.before == "[]" and row.after == "[]"
    is_undo = row.action == CaptionAction.UNDO
    if row.step_of is not None and is_empty and not row.moves:
        step = made.get(row.step_of)
        if step is None:
            raise NotFound(PRUNED)
        if step.moves:
            return moved(lines, step.moves, back=not is_undo)
        change = result_of_text(step.before, step.after)
        return apply(lines, change if is_undo else change.undone())
    if row.moves:
        return moved(lines, row.moves, back=True)
    return apply(lines, result_of_text(row.before, row.after).undone())
