"""Turn an edit into the lines before and after it. Find its rows, and refuse it when they are newer than the editor."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, ParamSpec

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import CaptionAction
from api.content.captions.editing import moves
from api.content.captions.editing.edits import (
    AddLine,
    DeleteLine,
    EditLine,
    LineEdit,
    MergeLines,
    MoveLines,
    SplitLine,
    Time,
)
from api.content.captions.editing.following import linked_lines
from api.content.captions.errors import CHANGED_SINCE, GONE, STALE, TAKEN_ID, EditFailed, StaleEdit
from api.content.captions.links import is_linked, source_to_wire, texts_now
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.reading import lines_of
from pipelines.captions.edits import edit
from pipelines.captions.edits.edit import OUTSIDE_CLOCK, EditResult
from pipelines.captions.edits.links import confirmed, is_stale
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.timestamps import BadTime, parse_time
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine

P = ParamSpec("P")

_threads = ThreadPoolExecutor(2, thread_name_prefix="caption-edit")
"""Comparing two long texts takes 30 ms. It has its own threads because an edit holds the write lock while it waits."""


async def off_loop(tool: Callable[P, EditResult], *arguments: P.args, **named: P.kwargs) -> EditResult:
    return await asyncio.get_running_loop().run_in_executor(_threads, partial(tool, *arguments, **named))


async def result_of(session: AsyncSession, track: CaptionTrack, request: LineEdit) -> EditResult:
    """The change as lines before and after. Raises `StaleEdit`, `EditFailed` or `EditRefused`."""
    if isinstance(request, AddLine):
        return await _add(session, track, request)
    row = await _row(session, track, request.line)
    if isinstance(request, EditLine):
        return await _edit(session, track, row, request)
    await _check_fresh(session, track, row, request)
    match request:
        case DeleteLine():
            return edit.delete(await lines_of(session, track, [row]), str(row.id))
        case SplitLine():
            return await _split(session, track, row, request)
        case MergeLines():
            return await _merge(session, track, row, request)


async def _edit(session: AsyncSession, track: CaptionTrack, row: CaptionLineRow, request: EditLine) -> EditResult:
    start = None if request.start is None else _milliseconds("start", request.start)
    end = None if request.end is None else _milliseconds("end", request.end)
    reach = (
        row.start_ms if start is None else min(row.start_ms, start),
        row.end_ms if end is None else max(row.end_ms, end),
    )
    near = await lines_of(session, track, await queries.lines_within(session, track.id, *reach))
    result = await off_loop(edit.edit_line, near, str(row.id), text=request.content, start_ms=start, end_ms=end)
    if is_linked(track) and request.content is not None:
        result = await _confirmed(session, near, result, str(row.id))
    # An edit that changes nothing is a repeat whose first answer was lost. It must not conflict with itself.
    if result.after:
        await _check_fresh(session, track, row, request)
    return result


async def _confirmed(
    session: AsyncSession, near: Sequence[CaptionLine], result: EditResult, line_id: str
) -> EditResult:
    """The edit of a translated line. Its text is now a person's, written for the newest text of the source.

    Saving the present text of a stale line confirms that text. So the edit may change nothing but the link.
    """
    old = next(line for line in near if line.id == line_id)
    new = result.after[0] if result.after else old
    if old.link is None:
        return result
    now = await texts_now(session, [old])
    if new.text == old.text and not is_stale(old.link, now):
        return result
    return EditResult((old,), (replace(new, link=confirmed(old.link, now)),))


async def _split(session: AsyncSession, track: CaptionTrack, row: CaptionLineRow, request: SplitLine) -> EditResult:
    (line,) = await lines_of(session, track, [row])
    text = line.text if request.content is None else request.content
    at = code_points(text, request.at)
    new_id = await _new_id(session, request)
    return await off_loop(edit.split_at, [line], line.id, at, new_id=new_id, rules=DEFAULT_RULES, text=request.content)


async def _merge(session: AsyncSession, track: CaptionTrack, row: CaptionLineRow, request: MergeLines) -> EditResult:
    near = list(await queries.neighbours(session, row))
    if request.with_ is not None:
        other = await _row(session, track, request.with_)
        await _check_fresh(session, track, other, request)
        if other not in near:
            near = sorted([*near, other], key=lambda each: each.start_ms)
    lines = await lines_of(session, track, near)
    mark = None if request.dash is None else request.dash.mark
    result = edit.merge(lines, str(row.id), None if request.with_ is None else str(request.with_), mark=mark)
    touched = {line.id for line in result.before}
    for each in near:
        if str(each.id) in touched:
            await _check_fresh(session, track, each, request)
    return result


async def _add(session: AsyncSession, track: CaptionTrack, request: AddLine) -> EditResult:
    start, end = _milliseconds("start", request.start), _milliseconds("end", request.end)
    near = await lines_of(session, track, await queries.lines_within(session, track.id, start, end))
    new_id = await _new_id(session, request)
    place = None if request.place is None else request.place.value
    result = edit.add(near, new_id=new_id, start_ms=start, end_ms=end, text=request.content or "", place=place)
    if not is_linked(track):
        return result
    return EditResult((), tuple(await linked_lines(session, track, result.after)))


async def moves_of(session: AsyncSession, track: CaptionTrack, request: MoveLines) -> dict[str, Any]:
    """What a Shift or an Extend does to all lines, for `apply_moves`. Empty when nothing would change."""
    if request.issued < track.revision:
        raise StaleEdit(CHANGED_SINCE, revision=track.revision)
    tool = moves.shift_of if request.action is CaptionAction.SHIFT else moves.extension_of
    return await tool(session, track.id, request.offset)


async def _new_id(session: AsyncSession, request: AddLine | SplitLine) -> str:
    """The id of the new line. Refuse an id that any file already uses: the new line would overwrite that one."""
    if request.new_line is not None and await session.get(CaptionLineRow, request.new_line) is not None:
        raise EditFailed.field("new_line", TAKEN_ID)
    return str(request.new_line or uuid.uuid4())


async def _row(session: AsyncSession, track: CaptionTrack, line_id: uuid.UUID) -> CaptionLineRow:
    row = await queries.line(session, track.id, line_id)
    if row is None:
        raise StaleEdit(GONE, revision=track.revision)
    return row


async def _check_fresh(session: AsyncSession, track: CaptionTrack, row: CaptionLineRow, request: LineEdit) -> None:
    if row.revision > request.issued:
        (line,) = await lines_of(session, track, [row])
        source = None if line.link is None else source_to_wire(line.link, await texts_now(session, [line]))
        raise StaleEdit(STALE, revision=track.revision, line=line, line_revision=row.revision, source=source)


def _milliseconds(name: str, value: Time) -> int:
    if isinstance(value, int):
        if not 0 <= value <= TIME_MS_MAX:
            raise EditFailed.field(name, OUTSIDE_CLOCK)
        return value
    try:
        return parse_time(value)
    except BadTime as bad:
        raise EditFailed.field(name, str(bad)) from bad


def code_points(text: str, units: int) -> int:
    """Convert a caret from UTF-16 units, which browsers count, to Python characters."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
