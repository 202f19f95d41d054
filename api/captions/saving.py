"""Save changes, one revision each: edits, moves of all lines, undo and redo. Answer repeats of saved commands."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions import queries
from api.captions.actions import CaptionAction
from api.captions.edits import StepThroughHistory
from api.captions.errors import CHANGED_SINCE, EditFailed, StaleEdit
from api.captions.models import CaptionRevision, CaptionTrack
from api.captions.moves import ENDS, apply_moves
from api.captions.rows import write_result
from api.captions.speakers import replace_speakers
from api.captions.tracks import require_free
from api.files.models import File
from pipelines.captions.edit import EditResult
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.stored_words import words_from_stored, words_to_store

NOTHING_TO_UNDO = "There is nothing to undo."
NOTHING_TO_REDO = "There is nothing to redo."

_MOVE_BYTES = 45
"""Size of one line's entry in the moves of an Extend."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change, the revision it made and the language after it. An empty `result` made no revision.

    `is_move`: the times of all lines changed, and `result` does not hold the lines.
    """

    track_id: uuid.UUID
    revision: int
    language: str
    result: EditResult
    can_undo: bool
    can_redo: bool
    is_move: bool = False


async def save(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, action: str, result: EditResult, **more: Any
) -> Change:
    """Write the lines and their revision. `more` sets further columns of the revision."""
    if result.before or result.after or "speakers_after" in more:
        await write(session, viewer.user_id, track, action, result, **more)
    return await _change(session, track, result)


async def write(
    session: AsyncSession,
    user_id: uuid.UUID | None,
    track: CaptionTrack,
    action: str,
    result: EditResult,
    **more: Any,
) -> None:
    """Like `save`, but without an answer, for changes that no editor sent."""
    lines, size = await asyncio.to_thread(_lines_of_revision, EditResult() if "step_of" in more else result)
    await _add_revision(session, user_id, track, action, size_bytes=size, **lines, **more)
    await write_result(session, track.id, result, revision=track.revision)


async def save_moves(
    session: AsyncSession,
    viewer: Viewer,
    track: CaptionTrack,
    action: str,
    moves: Mapping[str, Any],
    *,
    back: bool = False,
    **more: Any,
) -> Change:
    """Move all lines, or move them back. `more` sets further columns of the revision."""
    if not moves:
        return await _change(session, track, EditResult())
    columns = {} if "step_of" in more else {"moves": moves, "size_bytes": _MOVE_BYTES * len(moves.get(ENDS, ()))}
    await _add_revision(session, viewer.user_id, track, action, **columns, **more)
    await apply_moves(session, track.id, moves, revision=track.revision, back=back)
    return replace(await _change(session, track, EditResult()), is_move=True)


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
    if row.moves:
        return await save_moves(session, viewer, track, request.action, row.moves, back=is_undo, **more)
    if row.speakers_after is not None:
        await replace_speakers(session, track.file_id, row.speakers_before if is_undo else row.speakers_after)
        # Undo and Redo name the change they reverse; its speakers are read from there.
        more["speakers_after"] = None
    made = await asyncio.to_thread(_result, row.before, row.after)
    return await save(session, viewer, track, request.action, made.undone() if is_undo else made, **more)


async def change_of_command(session: AsyncSession, file_id: uuid.UUID, command: uuid.UUID) -> Change | None:
    """What a command did when it has been saved before. Its answer was lost, and nothing is applied twice."""
    earlier = await queries.revision_of(session, file_id, command)
    if earlier is None:
        return None
    track, row = earlier
    change = replace(await _change(session, track, EditResult()), revision=row.number)
    step_of = await queries.revision(session, track.id, row.step_of) if row.step_of is not None else None
    source = step_of or row
    if source.moves:
        return replace(change, is_move=True)
    made = await asyncio.to_thread(_result, source.before, source.after)
    return replace(change, result=made.undone() if row.action == CaptionAction.UNDO else made)


async def _add_revision(
    session: AsyncSession, user_id: uuid.UUID | None, track: CaptionTrack, action: str, **more: Any
) -> None:
    track.revision += 1
    session.add(
        CaptionRevision(
            track_id=track.id,
            number=track.revision,
            user_id=user_id,
            action=action,
            **more,
        )
    )
    await session.flush()
    await queries.prune(session, track.id)


async def _change(session: AsyncSession, track: CaptionTrack, result: EditResult) -> Change:
    history = await queries.history(session, track.id)
    return Change(
        track.id,
        track.revision,
        track.language,
        result,
        can_undo=bool(history.done),
        can_redo=bool(history.undone),
    )


def _lines_of_revision(result: EditResult) -> tuple[dict[str, Any], int]:
    """The lines as a revision stores them, and their approximate size in bytes of JSON (measured: within 10 %)."""
    before, after = _values(result.before), _values(result.after)
    size = sum(150 + 2 * len(value["text"]) + 95 * len(value["words"]) for value in (*before, *after))
    return {"before": before, "after": after}, size


def _values(lines: Sequence[CaptionLine]) -> list[dict[str, Any]]:
    return [{**line_to_json(replace(line, words=())), "words": words_to_store(line)} for line in lines]


def _result(before: str, after: str) -> EditResult:
    return EditResult(_lines(before), _lines(after))


def _lines(text: str) -> tuple[CaptionLine, ...]:
    return tuple(
        replace(
            line_from_json({**value, "words": ()}),
            words=words_from_stored(value["words"], value["text"], value["start_ms"], value["end_ms"]),
        )
        for value in json.loads(text)
    )
