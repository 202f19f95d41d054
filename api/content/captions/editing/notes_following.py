"""Notes stay with what they are about: they follow their line through merges, and back through undo."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Collection, Sequence

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.large.change import LargeChange
from api.content.captions.large.heirs import Heirs
from api.content.captions.notes.models import CaptionNote
from pipelines.captions.edits.edit import EditResult


async def follow_lines(session: AsyncSession, track_id: uuid.UUID, result: EditResult) -> None:
    """Move the notes of lines that a change removed to the lines that took their time, and home when those return.

    A note whose line was deleted keeps its line's id, for the case that the line returns.
    """
    gone = set(result.removed)
    removed = {line.id: line for line in result.before if line.id in gone}
    returned = {line.id for line in result.after} - {line.id for line in result.before}
    if not removed and not returned:
        return
    notes = await _notes(session, track_id)
    if not notes:
        return
    heirs = Heirs(result.after)
    await _move(session, notes, returned, lambda line: heirs.of(removed[line]) if line in removed else None)


async def follow_change(session: AsyncSession, change: LargeChange) -> None:
    """Like `follow_lines`, for a change of many lines."""
    notes = await _notes(session, change.track_id)
    if notes:
        heirs: dict[str, str | None] = json.loads(change.heirs)
        await _move(session, notes, set(json.loads(change.returned)), heirs.get)


Note = tuple[uuid.UUID, uuid.UUID, uuid.UUID]
"""A note, its line, and the line it was written about."""


async def _notes(session: AsyncSession, track_id: uuid.UUID) -> Sequence[Note]:
    statement = select(CaptionNote.id, CaptionNote.line_id, CaptionNote.first_line_id)
    return [(*row,) for row in (await session.execute(statement.where(CaptionNote.track_id == track_id))).tuples()]


async def _move(
    session: AsyncSession, notes: Sequence[Note], returned: Collection[str], heir: Callable[[str], str | None]
) -> None:
    moves: list[dict[str, uuid.UUID]] = []
    for note_id, line_id, first_id in notes:
        is_home = str(first_id) in returned and line_id != first_id
        target = str(first_id) if is_home else heir(str(line_id))
        if target is not None:
            moves.append({"id": note_id, "line_id": uuid.UUID(target)})
    if moves:
        await session.execute(update(CaptionNote), moves)
