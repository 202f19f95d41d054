"""Keeps a piece of sound and acknowledges it: from then on nothing can lose it."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.live import queries
from api.content.live.errors import BAD_SOUND, LiveEnded, MissingPiece, OtherSource, TooFast
from api.content.live.minutes import needs_more, reserve_more
from api.content.live.models import LiveSession, LiveState
from api.content.live.schemas import SoundOut
from api.content.live.service import close_journal, end_recording
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from api.platform.http.state import AppState
from api.platform.jobs import service as jobs
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from pipelines.media.sound.journal import PIECE_BYTES, PIECE_MS, journal_of, write_piece

AHEAD_MS = 60_000
"""Sound may be so much longer than the time since the beginning: pages send what they kept."""
FAST_CLOCK = 1.01
"""And its clock so much faster than ours. Those of sound cards are off by up to half a percent: 3.6 min in 12 hours."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of sound as it was sent by a page or program."""

    number: int
    source: uuid.UUID
    pcm: bytes


async def keep(state: AppState, viewer: Viewer, key: str, piece: Piece) -> SoundOut:
    """Keep the next piece. One that was kept before is acknowledged again.

    Raises `Invalid`, `OtherSource`, `MissingPiece`, `LiveEnded` and `TooFast`.
    """
    if not piece.pcm or len(piece.pcm) > PIECE_BYTES or len(piece.pcm) % 2:
        raise Invalid.field("sound", BAD_SOUND)
    async with state.database.read() as session:
        file, live = await queries.find(session, viewer, key)
        if (known := _known(live, piece)) is not None:
            return known
    elapsed_ms = (utc_now() - live.began_at).total_seconds() * 1000
    if (live.pieces + 1) * PIECE_MS > elapsed_ms * FAST_CLOCK + AHEAD_MS:
        raise TooFast
    # Before the row says that it is there: a piece that is not acknowledged is sent again, under the same name.
    work = state.settings.work_root / f"{uuid.uuid4()}.live"
    await asyncio.to_thread(write_piece, state.storage, journal_of(file.id), piece.number, piece.pcm, work)
    async with state.database.write() as session:
        answer, is_due = await _acknowledge(session, file.id, piece)
    if is_due:
        # In a transaction of its own, which locks the file before the recording as everybody does.
        async with state.database.write() as session:
            file = await session.get_one(File, file.id, with_for_update=True)
            live = await session.get_one(LiveSession, file.id, with_for_update=True)
            await end_recording(session, file, live, live.ends_why)
        await close_journal(state.storage, state.settings.work_root, live)
    return answer


def _known(live: LiveSession, piece: Piece) -> SoundOut | None:
    """The answer for a piece that was kept before. Raises for one that is not the next of its source."""
    if live.source != piece.source:
        raise OtherSource
    if piece.number < live.pieces:
        return _answer(live)
    if live.state != LiveState.OPEN:
        raise LiveEnded
    if piece.number > live.pieces:
        raise MissingPiece
    return None


async def _acknowledge(session: AsyncSession, file_id: uuid.UUID, piece: Piece) -> tuple[SoundOut, bool]:
    """Count the piece. Also returns whether the recording is over with it."""
    counted = await session.execute(
        update(LiveSession)
        .where(
            LiveSession.file_id == file_id,
            LiveSession.source == piece.source,
            LiveSession.pieces == piece.number,
            LiveSession.state == LiveState.OPEN,
        )
        .values(pieces=piece.number + 1, sound_at=utc_now())
        .returning(LiveSession.file_id)
        .execution_options(synchronize_session=False)
    )
    is_counted = counted.one_or_none() is not None
    live = await session.get_one(LiveSession, file_id)
    if not is_counted:
        known = _known(live, piece)
        assert known is not None
        return known, False
    recorded_ms = live.pieces * PIECE_MS
    if needs_more(live, recorded_ms):
        file = await session.get_one(File, file_id)
        job = (await session.scalars(select(Job).where(jobs.of_files([file_id], JobKind.LIVE)))).one()
        await reserve_more(session, job, file, live)
    return _answer(live), recorded_ms >= live.ends_at_ms


def _answer(live: LiveSession) -> SoundOut:
    return SoundOut(next_piece=live.pieces, ends_at_ms=live.ends_at_ms, ends_why=live.ends_why)
