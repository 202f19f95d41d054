"""Which spots of captions people found right in a review."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack, ReviewMark
from api.content.captions.review.schemas import ReviewedSpot, ReviewMarks
from api.content.captions.tracks import find_tracks
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import in_list
from api.platform.http.errors import Conflict
from cluster.wording.message import Message

MARKS_MAX = 20_000
"""Marks of one track: one for each of its lines."""
FULL = Message(
    "captions.service_full", "These captions have {count:,} reviewed spots, and no more fit.", count=MARKS_MAX
)
NO_CAPTIONS = Message("captions.no_captions", "These captions are not there yet, so there is nothing to review.")


async def marks(session: AsyncSession, viewer: Viewer, key: str, language: str | None) -> Sequence[ReviewMark]:
    """The marks of a track, oldest first."""
    track = (await find_tracks(session, viewer, key)).choose(language).track
    return [] if track is None else await _of_track(session, track)


async def mark(session: AsyncSession, viewer: Viewer, key: str, body: ReviewMarks) -> Sequence[ReviewMark]:
    """Mark spots as right, or take their marks away. Returns all marks. Raises `Conflict` when no more fit.

    Spots in lines that are gone, or that other captions have, are left out.
    """
    track = (await find_tracks(session, viewer, key, hold=True)).choose(body.language).track
    if track is None:
        raise Conflict(NO_CAPTIONS)
    lines = in_list(session, ReviewMark.line_id, list({spot.line for spot in body.spots}))
    of_lines = select(ReviewMark).where(ReviewMark.track_id == track.id, lines)
    present = {(row.line_id, row.key): row for row in await session.scalars(of_lines)}
    wanted = {(spot.line, spot.key): spot for spot in body.spots}
    if body.kept:
        count = await session.scalar(select(func.count()).where(ReviewMark.track_id == track.id)) or 0
        there = await _present_lines(session, track, {line for line, _ in wanted})
        new = [spot for place, spot in wanted.items() if place not in present and spot.line in there]
        if count + len(new) > MARKS_MAX:
            raise Conflict(FULL)
        session.add_all(_row(track, viewer, spot) for spot in new)
        await session.flush()
    else:
        gone: list[uuid.UUID] = [row.id for place, row in present.items() if place in wanted]
        await session.execute(delete(ReviewMark).where(in_list(session, ReviewMark.id, gone)))
    return await _of_track(session, track)


async def _present_lines(session: AsyncSession, track: CaptionTrack, wanted: set[uuid.UUID]) -> set[uuid.UUID]:
    ids = in_list(session, CaptionLineRow.id, list(wanted))
    return set(await session.scalars(select(CaptionLineRow.id).where(CaptionLineRow.track_id == track.id, ids)))


def _row(track: CaptionTrack, viewer: Viewer, spot: ReviewedSpot) -> ReviewMark:
    return ReviewMark(track_id=track.id, line_id=spot.line, key=spot.key, user_id=viewer.user_id)


async def _of_track(session: AsyncSession, track: CaptionTrack) -> Sequence[ReviewMark]:
    statement = select(ReviewMark).where(ReviewMark.track_id == track.id)
    return (await session.scalars(statement.order_by(ReviewMark.created_at, ReviewMark.id))).all()
