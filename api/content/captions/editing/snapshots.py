"""Keep all lines of a track: by hand under a name, and automatically before a change of many lines."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.stored.revision_lines import pack_lines
from api.content.captions.stored.snapshots import CaptionSnapshot

SNAPSHOTS_MAX = 60
"""Of one track. Beyond them the oldest automatic ones go, then the oldest of all."""
SNAPSHOT_BYTES_MAX = 40_000_000
"""Of one track. 20,000 lines with their words take about 2.5 MB."""


async def take(
    session: AsyncSession,
    user_id: uuid.UUID | None,
    track: CaptionTrack,
    name: str,
    *,
    is_automatic: bool,
    packed: str | None = None,
) -> None:
    """Keep the lines as they are. One by hand takes the place of an automatic one of the same revision.

    `packed` has the lines where the caller has packed them already.
    """
    same = (CaptionSnapshot.track_id == track.id, CaptionSnapshot.revision == track.revision)
    existing = (await session.scalars(select(CaptionSnapshot).where(*same))).one_or_none()
    if existing is not None:
        if not is_automatic:
            existing.name, existing.is_automatic, existing.user_id = name, False, user_id
        return
    if packed is None:
        lines = await all_lines(session, track)
        if not lines and is_automatic:
            return
        packed = await asyncio.to_thread(pack_lines, lines)
    session.add(
        CaptionSnapshot(
            track_id=track.id,
            revision=track.revision,
            user_id=user_id,
            name=name,
            is_automatic=is_automatic,
            lines=packed,
            size_bytes=len(packed),
        )
    )
    await session.flush()
    await _prune(session, track.id)


async def _prune(session: AsyncSession, track_id: uuid.UUID) -> None:
    statement = (
        select(CaptionSnapshot.id, CaptionSnapshot.size_bytes)
        .where(CaptionSnapshot.track_id == track_id)
        .order_by(CaptionSnapshot.is_automatic.desc(), CaptionSnapshot.revision)
    )
    rows: Sequence[tuple[uuid.UUID, int]] = (await session.execute(statement)).tuples().all()
    count, size = len(rows), sum(each for _, each in rows)
    for snapshot_id, each in rows:
        # The newest of all is the one just taken.
        if (count <= SNAPSHOTS_MAX and size <= SNAPSHOT_BYTES_MAX) or count == 1:
            return
        await session.execute(
            delete(CaptionSnapshot)
            .where(CaptionSnapshot.id == snapshot_id)
            .execution_options(synchronize_session=False)
        )
        count, size = count - 1, size - each
