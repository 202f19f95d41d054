"""The lines of a track as they were after an earlier revision, from snapshots and the history of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from sqlalchemy import Text, cast, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.large.walk import PastChange, PastLines
from api.content.captions.models import CaptionRevision, CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.stored.snapshots import CaptionSnapshot
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.messages.lines import CaptionLine

PRUNED = Message(
    "captions.version_pruned", "This version is no longer kept. Choose a newer one, or one that has a name."
)

_COLUMNS = (
    CaptionRevision.number,
    CaptionRevision.action,
    cast(CaptionRevision.before, Text()).label("before"),
    cast(CaptionRevision.after, Text()).label("after"),
    CaptionRevision.moves,
    CaptionRevision.step_of,
)


async def lines_at(session: AsyncSession, track: CaptionTrack, number: int) -> list[CaptionLine]:
    """The lines after revision `number`, in time order; 0 is the track as it was made. Raises `NotFound`."""
    past = await past_lines(session, track, number)
    now = [] if past.packed is not None else await all_lines(session, track)
    return await asyncio.to_thread(past.lines, now)


async def past_lines(session: AsyncSession, track: CaptionTrack, number: int) -> PastLines:
    """What leads to the lines after revision `number`. Raises `NotFound`."""
    if number == track.revision:
        return PastLines()
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
    changes = await _changes(session, track, number, newest)
    if len(changes) != newest - number:
        if nearest is None:
            raise NotFound(PRUNED)
        # The changes in between are pruned, or the snapshot is much newer: walk from the present instead.
        nearest, newest = None, track.revision
        changes = await _changes(session, track, number, newest)
        if len(changes) != newest - number:
            raise NotFound(PRUNED)
    return PastLines(changes, None if nearest is None else nearest[1], await _reversed(session, track, changes))


async def _changes(session: AsyncSession, track: CaptionTrack, after: int, last: int) -> list[PastChange]:
    statement = (
        select(*_COLUMNS)
        .where(CaptionRevision.track_id == track.id, CaptionRevision.number > after, CaptionRevision.number <= last)
        .order_by(CaptionRevision.number.desc())
    )
    return [PastChange(*row) for row in (await session.execute(statement)).tuples()]


async def _reversed(
    session: AsyncSession, track: CaptionTrack, changes: Sequence[PastChange]
) -> Mapping[int, PastChange]:
    """The changes that undo and redo among these reverse, by number. Raises `NotFound` where one is pruned."""
    numbers = {change.step_of for change in changes if change.is_reference}
    if not numbers:
        return {}
    statement = select(*_COLUMNS).where(CaptionRevision.track_id == track.id, CaptionRevision.number.in_(numbers))
    found = {row[0]: PastChange(*row) for row in (await session.execute(statement)).tuples()}
    if found.keys() != numbers:
        raise NotFound(PRUNED)
    return found
