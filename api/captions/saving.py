"""Save changes, one revision each: edits, moves of all lines, undo and redo. Answer repeats of saved commands."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions import queries
from api.captions.actions import CaptionAction
from api.captions.edits import StepThroughHistory
from api.captions.errors import CHANGED_SINCE, SOURCE_MOVED_ON, EditFailed, StaleEdit
from api.captions.following import Step, has_followed_since, reconciled
from api.captions.links import is_linked, texts_now
from api.captions.models import CaptionTrack
from api.captions.moves import ENDS
from api.captions.revision_lines import result_of_text
from api.captions.speakers import replace_speakers
from api.captions.tracks import require_free
from api.captions.writing import Written, write, write_moves
from api.files.models import File
from pipelines.captions.edit import EditResult

NOTHING_TO_UNDO = "There is nothing to undo."
NOTHING_TO_REDO = "There is nothing to redo."


@dataclass(frozen=True, slots=True)
class Change:
    """A change, the revision it made and the language after it. An empty `result` made no revision.

    `is_move`: the times of all lines changed, and `result` does not hold the lines. `followed` has the languages of
    the track's translations, and `now` the texts of source lines that a changed translation is linked to.
    """

    track_id: uuid.UUID
    revision: int
    language: str
    result: EditResult
    can_undo: bool
    can_redo: bool
    is_move: bool = False
    followed: tuple[str, ...] = ()
    now: Mapping[str, str] = field(default_factory=dict)


async def save(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, action: str, result: EditResult, **more: Any
) -> Change:
    """Write the lines and their revision. `more` is for `write`."""
    if result.before or result.after or "speakers_after" in more:
        change = _change_of(track, result, await write(session, viewer.user_id, track, action, result, **more))
    else:
        change = await _change(session, track, result)
    return replace(change, now=await texts_now(session, result.after) if is_linked(track) else {})


async def save_moves(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, action: str, moves: Mapping[str, Any], **more: Any
) -> Change:
    """Move all lines, or move them back. `more` is for `write_moves`."""
    if not moves:
        return await _change(session, track, EditResult())
    written = await write_moves(session, viewer.user_id, track, action, moves, **more)
    return replace(_change_of(track, EditResult(), written), is_move=True)


async def step(session: AsyncSession, viewer: Viewer, track: CaptionTrack, request: StepThroughHistory) -> Change:
    """Undo the newest change in force, or redo the change undone last. Raises `StaleEdit` and `EditFailed`."""
    history = await queries.history(session, track.id)
    is_undo = request.action is CaptionAction.UNDO
    if request.issued < track.revision:
        raise StaleEdit(CHANGED_SINCE, revision=track.revision)
    waiting = history.done if is_undo else history.undone
    row = await queries.revision(session, track.id, waiting[-1]) if waiting else None
    if row is None:
        raise EditFailed(NOTHING_TO_UNDO if is_undo else NOTHING_TO_REDO)
    await queries.mark_undone(session, track.id, row.number, undone=is_undo)
    language = row.language_before if is_undo else row.language_after
    if language is not None:
        await require_free(session, track.file_id, language, besides=track)
        track.language = language
        await session.execute(update(File).where(File.id == track.file_id).values(language=language))
    more = {"step_of": row.number, "command_id": request.command}
    has_followed = is_linked(track) and await has_followed_since(session, track, row.number)
    if row.moves:
        if has_followed and ENDS in row.moves:
            raise EditFailed(SOURCE_MOVED_ON)
        return await save_moves(session, viewer, track, request.action, row.moves, back=is_undo, **more)
    if row.speakers_after is not None:
        await replace_speakers(session, track.file_id, row.speakers_before if is_undo else row.speakers_after)
        # Undo and Redo name the change they reverse; its speakers are read from there.
        more["speakers_after"] = None
    made = await asyncio.to_thread(result_of_text, row.before, row.after)
    wanted = made.undone() if is_undo else made
    result = await reconciled(session, track, wanted) if has_followed else wanted
    if result is None:
        raise EditFailed(SOURCE_MOVED_ON)
    whole = result != wanted
    step_back = Step(row.number, is_undo)
    return await save(session, viewer, track, request.action, result, step=step_back, whole=whole, **more)


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


async def _change(session: AsyncSession, track: CaptionTrack, result: EditResult) -> Change:
    return _change_of(track, result, Written(await queries.history(session, track.id), []))


def _change_of(track: CaptionTrack, result: EditResult, written: Written) -> Change:
    return Change(
        track.id,
        track.revision,
        track.language,
        result,
        can_undo=bool(written.history.done),
        can_redo=bool(written.history.undone),
        followed=tuple(written.languages),
    )
