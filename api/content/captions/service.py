"""Change captions. Each change is one revision, and is refused when it was made on an old state."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.after_change import announce, learn, remove_no_speech_note
from api.content.captions.editing import changes
from api.content.captions.editing.bulk import bulk_result, work_of_bulk
from api.content.captions.editing.edits import AnyEdit, ChangeLines, ChangeNothing, MoveLines, StepThroughHistory
from api.content.captions.editing.large_command import Plan, fitting, is_large
from api.content.captions.editing.saving import Change, change_of_command, is_repeat, save, save_moves
from api.content.captions.editing.steps import plan_of_step, step
from api.content.captions.editing.writing import WritePlan, write_plan
from api.content.captions.errors import NOT_YET, EditFailed
from api.content.captions.large.change import LargeChange, LargeWork
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.tracks import find_tracks, track_to_change
from api.people.auth.viewer import Viewer
from api.platform.http.errors import ApiError
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.limits import LINES_MAX

_PLANNED_LINES = 200
"""Lines of a change from which on it is computed before it holds the lock."""

FULL = Message(
    "captions.track_full",
    "This file has {count:,} lines, and no more fit. Delete or merge some first.",
    count=LINES_MAX,
)


async def plan_of(session: AsyncSession, viewer: Viewer, key: str, request: AnyEdit) -> LargeWork | WritePlan | None:
    """What `edit` would compute for a change of many lines, before it holds the lock that others wait for.

    None where there is little to compute, and where the change is refused: `edit` says why.
    """
    is_planned = isinstance(request, ChangeLines) and request.size >= _PLANNED_LINES
    if not is_planned and not isinstance(request, StepThroughHistory):
        return None
    try:
        tracks = await find_tracks(session, viewer, key)
        track = tracks.choose(request.language).track
        if track is None or await is_repeat(session, tracks.file.id, request.command):
            return None
        if isinstance(request, StepThroughHistory):
            return await plan_of_step(session, track, request)
        if not isinstance(request, ChangeLines) or is_linked(track):
            # What a translation confirms depends on the newest text of its source.
            return None
        # The track was read before its lines, so a change between the two makes the plan old.
        if request.issued >= track.revision and await is_large(session, track):
            return await work_of_bulk(session, track, request)
        before = await all_lines(session, track)
        result = await bulk_result(session, track, request)
    except (ApiError, EditRefused):
        return None
    make = partial(write_plan, sqlite=is_sqlite(session), before=before)
    return await asyncio.to_thread(make, result, track.id, track.revision + 1)


async def edit(session: AsyncSession, viewer: Viewer, key: str, request: AnyEdit, plan: Plan | None = None) -> Change:
    """Save one change. Raises `StaleEdit` when the editor has not seen the line's newest text, else `EditFailed`.

    `plan` is made of `plan_of` the same request. If the captions changed since, a small one is left aside, and a large
    one raises `CaptionsMovedOn`.
    """
    tracks = await find_tracks(session, viewer, key, hold=True)
    if request.command is not None:
        earlier = await change_of_command(session, tracks.file.id, request.command)
        if earlier is not None:
            return earlier
    track = await track_to_change(session, tracks.choose(request.language))
    if request.issued > track.revision:
        raise EditFailed.field("issued", NOT_YET)
    try:
        change = await _apply(session, viewer, track, request, plan)
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused
    await remove_no_speech_note(session, track, change)
    await learn(session, tracks.file, track, change)
    await announce(session, tracks.file, change)
    return change


async def _apply(
    session: AsyncSession, viewer: Viewer, track: CaptionTrack, request: AnyEdit, plan: Plan | None
) -> Change:
    more: dict[str, Any]
    result: EditResult | LargeChange
    match request:
        case ChangeNothing():
            return await save(session, viewer, track, request.action, EditResult())
        case StepThroughHistory():
            return await step(session, viewer, track, request, plan)
        case MoveLines():
            moves = await changes.moves_of(session, track, request)
            return await save_moves(session, viewer, track, request.action, moves, command_id=request.command)
        case ChangeLines():
            more = {"label": request.label}
            if (large := fitting(plan, track)) is not None:
                result = large
            elif isinstance(plan, WritePlan) and plan.revision == track.revision + 1:
                result, more["plan"] = plan.result, plan
            else:
                result = await bulk_result(session, track, request)
        case _:
            result, more = await changes.result_of(session, track, request), {}
    growth = result.growth if isinstance(result, LargeChange) else len(result.after) - len(result.before)
    if growth > 0 and await queries.count_lines(session, track.id) + growth > LINES_MAX:
        raise EditFailed(FULL)
    return await save(session, viewer, track, request.action, result, command_id=request.command, **more)
