"""Notes stay with what they are about: they follow their line through merges, and back through undo."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.notes.models import CaptionNote
from pipelines.captions.edit import EditResult
from pipelines.captions.lines import CaptionLine


async def follow_lines(session: AsyncSession, track_id: uuid.UUID, result: EditResult) -> None:
    """Move the notes of lines that a change removed to the lines that took their time, and home when those return.

    A note whose line was deleted keeps its line's id, for the case that the line returns.
    """
    gone = set(result.removed)
    removed = {line.id: line for line in result.before if line.id in gone}
    returned = {line.id for line in result.after} - {line.id for line in result.before}
    if not removed and not returned:
        return
    statement = select(CaptionNote.id, CaptionNote.line_id, CaptionNote.first_line_id).where(
        CaptionNote.track_id == track_id
    )
    for note_id, line_id, first_id in (await session.execute(statement)).tuples():
        target = None
        if str(first_id) in returned and line_id != first_id:
            target = str(first_id)
        elif str(line_id) in removed:
            target = heir(removed[str(line_id)], result.after)
        if target is not None:
            await session.execute(
                update(CaptionNote)
                .where(CaptionNote.id == note_id)
                .values(line_id=uuid.UUID(target))
                .execution_options(synchronize_session=False)
            )


def heir(line: CaptionLine, after: Sequence[CaptionLine]) -> str | None:
    """The line that takes most of a removed line's time; None when none does."""
    shared = [(min(line.end_ms, each.end_ms) - max(line.start_ms, each.start_ms), each.id) for each in after]
    best = max(shared, default=(0, ""))
    return best[1] if best[0] > 0 else None
