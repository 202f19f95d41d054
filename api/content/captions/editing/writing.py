"""Write a change and its revision, and the changes of translations that follow it, in one transaction."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import FOLLOW, IMPORT, LIVE, MEASURE, RERUN, RESTORE, TRANSCRIBE, CaptionAction
from api.content.captions.editing import snapshots
from api.content.captions.editing.following import Step, followers, translations_of
from api.content.captions.editing.moves import ENDS, apply_moves
from api.content.captions.editing.moves_following import moves_of_translation
from api.content.captions.editing.notes_following import follow_change, follow_lines
from api.content.captions.history import History
from api.content.captions.large.change import LargeChange
from api.content.captions.large.staging import write_staged
from api.content.captions.models import CaptionRevision, CaptionTrack
from api.content.captions.stored.revision_lines import lines_of_revision, pack_lines
from api.content.captions.stored.row_values import Rows, rows_of
from api.content.captions.stored.rows import is_sqlite, write_result
from api.people.auth.viewer import Author
from pipelines.captions.edits.edit import EditResult
from pipelines.messages.lines import CaptionLine

_REPLACING = frozenset({IMPORT, TRANSCRIBE, RERUN, RESTORE})
_SMALL = frozenset({FOLLOW, LIVE, MEASURE, CaptionAction.UNDO, CaptionAction.REDO})
_MANY_LINES = 20
"""A change of so many lines keeps the captions before it as a version of their own."""

_MOVE_BYTES = 45
"""Size of one line's entry in the moves of an Extend."""


class WriteResult(NamedTuple):
    """`languages` has those of the track's translations, whose lines or stale marks may have changed too."""

    history: History
    languages: list[str]


@dataclass(frozen=True, slots=True)
class WritePlan:
    """What writing a change needs, made before the transaction: for many lines that takes seconds, in which everybody
    else would wait for SQLite's write lock.

    It is for a change that makes revision `revision` of the track. `packed` has all lines before it.
    """

    result: EditResult
    revision: int
    rows: Rows
    lines: dict[str, Any]
    size: int
    packed: str | None = None


def write_plan(
    result: EditResult,
    track_id: uuid.UUID,
    revision: int,
    *,
    sqlite: bool,
    is_stored: bool = True,
    before: Sequence[CaptionLine] = (),
) -> WritePlan:
    """`is_stored`: the revision holds the lines. `before` has all lines of the track, for a version to keep."""
    lines, size = lines_of_revision(result if is_stored else EditResult())
    rows = rows_of(result.after, track_id, revision=revision, sqlite=sqlite)
    return WritePlan(result, revision, rows, lines, size, pack_lines(before) if before else None)


async def write(
    session: AsyncSession,
    author: Author,
    track: CaptionTrack,
    action: str,
    result: EditResult | LargeChange,
    *,
    step: Step | None = None,
    whole: bool = False,
    plan: WritePlan | None = None,
    is_kept: bool = True,
    **more: Any,
) -> WriteResult:
    """Write the lines and their revision. `more` sets further columns of the revision. `plan` is used if it fits.

    A large change is staged on the session's connection, and makes the track's next revision.

    `step` names the change that an undo takes back or a redo repeats; its revision stores no lines unless they differ
    from that change's (`whole`). Nor does a change that nobody takes back (`is_kept` false).
    """
    is_stored = whole or (is_kept and "step_of" not in more)
    if isinstance(result, LargeChange):
        history = await _write_large(session, author, track, action, result, is_stored=is_stored, **more)
        translations = await translations_of(session, track)
        if not translations:
            return WriteResult(history, [])
        result = await asyncio.to_thread(result.result)
        return await _follow(session, author, track, translations, result, step, history)
    if plan is None or plan.result is not result or plan.revision != track.revision + 1:
        make = partial(write_plan, sqlite=is_sqlite(session), is_stored=is_stored)
        plan = await asyncio.to_thread(make, result, track.id, track.revision + 1)
    if _replaces_many(action, len(result.before)):
        name = more.get("label") or action
        await snapshots.take(session, author.user_id, track, name, is_automatic=True, packed=plan.packed)
    history = await _add_revision(session, author, track, action, size_bytes=plan.size, **plan.lines, **more)
    await write_result(session, track.id, result, revision=track.revision, rows=plan.rows)
    await follow_lines(session, track.id, result)
    translations = await translations_of(session, track)
    if not translations:
        return WriteResult(history, [])
    return await _follow(session, author, track, translations, result, step, history)


async def _write_large(
    session: AsyncSession,
    author: Author,
    track: CaptionTrack,
    action: str,
    change: LargeChange,
    *,
    is_stored: bool,
    **more: Any,
) -> History:
    if change.kept is not None and _replaces_many(action, change.before_count):
        name = more.get("label") or action
        await snapshots.take(session, author.user_id, track, name, is_automatic=True, packed=change.kept)
    columns = {**change.lines, "size_bytes": change.size} if is_stored else {}
    history = await _add_revision(session, author, track, action, **columns, **more)
    await write_staged(session, change)
    await follow_change(session, change)
    return history


async def _follow(
    session: AsyncSession,
    author: Author,
    track: CaptionTrack,
    translations: Sequence[CaptionTrack],
    result: EditResult,
    step: Step | None,
    history: History,
) -> WriteResult:
    """What the translations do after the change is written."""
    follows: dict[str, Any] = {"follows_track_id": track.id, "follows_number": track.revision}
    async for following in followers(session, track, translations, result, step):
        await write(session, author, following.track, FOLLOW, following.result, step=following.step, **follows)
    return WriteResult(history, _languages(translations))


async def write_moves(
    session: AsyncSession,
    author: Author,
    track: CaptionTrack,
    action: str,
    moves: Mapping[str, Any],
    *,
    back: bool = False,
    **more: Any,
) -> WriteResult:
    """Move all lines, or move them back, and those of translations with them. Returns as `write` does.

    Raises `EditRefused` when a translation has no room to move.
    """
    columns = {} if "step_of" in more else {"moves": moves, "size_bytes": _MOVE_BYTES * len(moves.get(ENDS, ()))}
    translations = await translations_of(session, track)
    # Before the lines move: the ends of translations are compared with the old ones.
    planned = [(each, await moves_of_translation(session, track, each, moves, back=back)) for each in translations]
    history = await _add_revision(session, author, track, action, **columns, **more)
    await apply_moves(session, track.id, moves, revision=track.revision, back=back)
    follows: dict[str, Any] = {"follows_track_id": track.id, "follows_number": track.revision}
    for translation, own in planned:
        if own:
            await write_moves(session, author, translation, FOLLOW, own, **follows)
    return WriteResult(history, _languages(translations))


def _replaces_many(action: str, before_count: int) -> bool:
    """Whether somebody may want the captions before this change back later, beyond the reach of undo."""
    return action in _REPLACING or (action not in _SMALL and before_count >= _MANY_LINES)


def _languages(translations: Any) -> list[str]:
    return [track.language for track in translations if track.deleted_at is None]


async def _add_revision(
    session: AsyncSession, author: Author, track: CaptionTrack, action: str, **more: Any
) -> History:
    track.revision += 1
    session.add(
        CaptionRevision(
            track_id=track.id,
            number=track.revision,
            **author._asdict(),
            action=action,
            **more,
        )
    )
    await session.flush()
    return await queries.prune(session, track.id)
