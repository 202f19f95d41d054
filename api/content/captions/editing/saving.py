"""Save changes, one revision each: edits and moves of all lines. Answer repeats of saved commands."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import CaptionAction
from api.content.captions.editing.writing import WriteResult, write, write_moves
from api.content.captions.large.change import LargeChange
from api.content.captions.links import is_linked, texts_now
from api.content.captions.models import CaptionTrack
from api.content.captions.stored.revision_lines import result_of_text
from api.people.auth.viewer import Viewer
from pipelines.captions.edits.edit import EditResult


@dataclass(frozen=True, slots=True)
class Change:
    """A change, the revision it made and the language after it. An empty `result` made no revision.

    `is_move`: the times of all lines changed, and `result` does not hold the lines. `followed` has the languages of
    the track's translations, and `now` the texts of source lines that a changed translation is linked to.
    """

    track_id: uuid.UUID
    revision: int
    language: str
    result: EditResult | LargeChange
    can_undo: bool
    can_redo: bool
    is_move: bool = False
    followed: tuple[str, ...] = ()
    now: Mapping[str, str] = field(default_factory=dict)

    @property
    def before_count(self) -> int:
        return self.result.before_count if isinstance(self.result, LargeChange) else len(self.result.before)

    @property
    def after_count(self) -> int:
        return self.result.after_count if isinstance(self.result, LargeChange) else len(self.result.after)


async def save(
    session: AsyncSession,
    viewer: Viewer,
    track: CaptionTrack,
    action: str,
    result: EditResult | LargeChange,
    **more: Any,
) -> Change:
    """Write the lines and their revision. `more` is for `write`."""
    is_empty = result.is_empty if isinstance(result, LargeChange) else not (result.before or result.after)
    if not is_empty or "speakers_after" in more:
        change = _change_of(track, result, await write(session, viewer.author, track, action, result, **more))
    else:
        change = await _change(session, track, EditResult())
    if isinstance(result, LargeChange) or not is_linked(track):
        return change
    return replace(change, now=await texts_now(session, result.after))


async def save_moves(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, action: str, moves: Mapping[str, Any], **more: Any
) -> Change:
    """Move all lines, or move them back. `more` is for `write_moves`."""
    if not moves:
        return await _change(session, track, EditResult())
    written = await write_moves(session, viewer.author, track, action, moves, **more)
    return replace(_change_of(track, EditResult(), written), is_move=True)


async def change_of_command(session: AsyncSession, file_id: uuid.UUID, command: uuid.UUID) -> Change | None:
    """What a command did when it has been saved before. Its answer was lost, and nothing is applied twice."""
    earlier = await queries.revision_of(session, file_id, command)
    if earlier is None:
        return None
    track, row = earlier
    change = replace(await _change(session, track, EditResult()), revision=row.number)
    action = row.action
    result = await asyncio.to_thread(result_of_text, row.before, row.after)
    if row.step_of is not None and result == EditResult():
        reversed_one = await queries.revision(session, track.id, row.step_of)
        row = reversed_one if reversed_one is not None else row
        made = await asyncio.to_thread(result_of_text, row.before, row.after)
        result = made.undone() if action == CaptionAction.UNDO else made
    if row.moves:
        return replace(change, is_move=True)
    now = await texts_now(session, result.after) if is_linked(track) else {}
    return replace(change, result=result, now=now)


async def is_repeat(session: AsyncSession, file_id: uuid.UUID, command: uuid.UUID | None) -> bool:
    """Whether a command has been saved before."""
    return command is not None and await queries.has_command(session, file_id, command)


async def _change(session: AsyncSession, track: CaptionTrack, result: EditResult) -> Change:
    return _change_of(track, result, WriteResult(await queries.history(session, track.id), []))


def _change_of(track: CaptionTrack, result: EditResult | LargeChange, written: WriteResult) -> Change:
    return Change(
        track.id,
        track.revision,
        track.language,
        result,
        can_undo=bool(written.history.done),
        can_redo=bool(written.history.undone),
        followed=tuple(written.languages),
    )
