"""Undo and redo."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from sqlalchemy import Row, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import CaptionAction
from api.content.captions.editing.edits import StepThroughHistory
from api.content.captions.editing.following import Step, has_followed_since, reconciled
from api.content.captions.editing.large_command import Plan, fitting
from api.content.captions.editing.moves import ENDS
from api.content.captions.editing.saving import Change, save, save_moves
from api.content.captions.editing.writing import WritePlan, write_plan
from api.content.captions.errors import CHANGED_SINCE, SOURCE_MOVED_ON, EditFailed, StaleEdit
from api.content.captions.large import tools
from api.content.captions.large.change import LargeWork
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.content.captions.speakers import replace_speakers
from api.content.captions.stored.revision_lines import has_many_lines, result_of_text
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.tracks import require_free
from api.content.files.models import File
from api.people.auth.viewer import Viewer
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult

NOTHING_TO_UNDO = Message("captions.nothing_to_undo", "There is nothing to undo.")
NOTHING_TO_REDO = Message("captions.nothing_to_redo", "There is nothing to redo.")


LARGE_BYTES = 60_000
"""Of the packed lines of a change, from which on its reversal is prepared in a process: about 2,000 lines."""


async def plan_of_step(
    session: AsyncSession, track: CaptionTrack, request: StepThroughHistory
) -> LargeWork | WritePlan | None:
    """The step as it is now, with everything that writing it needs. None where it is small or impossible."""
    is_undo = request.action is CaptionAction.UNDO
    row = await _next(session, track, is_undo=is_undo)
    if row is None or row.moves or not has_many_lines(row.before):
        return None
    if len(row.before) + len(row.after) >= LARGE_BYTES and not is_linked(track):
        tool = partial(tools.step, before=row.before, after=row.after, is_undo=is_undo)
        return LargeWork(tool, track.id, track.revision + 1, sqlite=is_sqlite(session), keeps_before=False)
    wanted = await asyncio.to_thread(_wanted, row, is_undo=is_undo)
    make = partial(write_plan, sqlite=is_sqlite(session), is_stored=False)
    return await asyncio.to_thread(make, wanted, track.id, track.revision + 1)


async def step(
    session: AsyncSession,
    viewer: Viewer,
    track: CaptionTrack,
    request: StepThroughHistory,
    plan: Plan | None = None,
) -> Change:
    """Undo the newest change in force, or redo the change undone last. Raises `StaleEdit` and `EditFailed`.

    `plan` is `plan_of_step`, which is used if nothing changed since it was made.
    """
    is_undo = request.action is CaptionAction.UNDO
    if await queries.has_changed_since(session, track, request.issued):
        raise StaleEdit(CHANGED_SINCE, revision=track.revision)
    row = await _next(session, track, is_undo=is_undo)
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
    if (large := fitting(plan, track)) is not None:
        step_back = Step(row.number, is_undo)
        return await save(session, viewer, track, request.action, large, step=step_back, **more)
    if isinstance(plan, WritePlan) and plan.revision == track.revision + 1:
        wanted = plan.result
    else:
        wanted = await asyncio.to_thread(_wanted, row, is_undo=is_undo)
    result = await reconciled(session, track, wanted) if has_followed else wanted
    if result is None:
        raise EditFailed(SOURCE_MOVED_ON)
    whole = result != wanted
    step_back = Step(row.number, is_undo)
    return await save(session, viewer, track, request.action, result, step=step_back, whole=whole, plan=plan, **more)


async def _next(session: AsyncSession, track: CaptionTrack, *, is_undo: bool) -> Row[*tuple[Any, ...]] | None:
    """The revision that the next undo takes back, or the next redo restores."""
    history = await queries.history(session, track.id)
    waiting = history.done if is_undo else history.undone
    return await queries.revision(session, track.id, waiting[-1]) if waiting else None


def _wanted(row: Row[*tuple[Any, ...]], *, is_undo: bool) -> EditResult:
    made = result_of_text(row.before, row.after)
    return made.undone() if is_undo else made
