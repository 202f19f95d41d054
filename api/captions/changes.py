"""From what an editor asks for to the lines before and after: finds the rows, checks that they are not newer."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec

from sqlalchemy.ext.asyncio import AsyncSession

from api.captions import moves, queries
from api.captions.actions import CaptionAction
from api.captions.errors import CHANGED_SINCE, GONE, STALE, TAKEN_ID, EditFailed, StaleEdit
from api.captions.models import CaptionLineRow, Transcription
from api.captions.rows import line_of
from api.captions.schemas import CaptionEdit
from pipelines.captions import edit
from pipelines.captions.edit import OUTSIDE_CLOCK, EditResult
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.timestamps import BadTime, parse_time

P = ParamSpec("P")

_threads = ThreadPoolExecutor(2, thread_name_prefix="caption-edit")
"""Comparing two long texts takes 30 ms; its own threads, because an edit holds the write lock while it waits."""


async def _off_loop(tool: Callable[P, EditResult], *arguments: P.args, **named: P.kwargs) -> EditResult:
    return await asyncio.get_running_loop().run_in_executor(_threads, partial(tool, *arguments, **named))


async def result_of(session: AsyncSession, transcription: Transcription, asked: CaptionEdit) -> EditResult:
    """The change as lines before and after. Raises `StaleEdit`, `EditFailed` or `EditRefused`."""
    match asked.action:
        case CaptionAction.NONE:
            return EditResult()
        case CaptionAction.ADD:
            return await _add(session, transcription, asked)
    row = await _row(session, transcription, asked.line)
    match asked.action:
        case CaptionAction.EDIT:
            return await _edit(session, transcription, row, asked)
        case CaptionAction.DELETE:
            _check_fresh(transcription, row, asked)
            return edit.delete([line_of(row)], str(row.id))
        case CaptionAction.SPLIT:
            _check_fresh(transcription, row, asked)
            return await _split(session, row, asked)
        case CaptionAction.MERGE:
            _check_fresh(transcription, row, asked)
            return await _merge(session, transcription, row, asked)
    raise AssertionError(f"No change is made for {asked.action}.")


async def _edit(
    session: AsyncSession, transcription: Transcription, row: CaptionLineRow, asked: CaptionEdit
) -> EditResult:
    start, end = _time("start", asked.start), _time("end", asked.end)
    reach = (
        row.start_ms if start is None else min(row.start_ms, start),
        row.end_ms if end is None else max(row.end_ms, end),
    )
    near = [line_of(other) for other in await queries.lines_within(session, transcription.id, *reach)]
    result = await _off_loop(edit.edit_line, near, str(row.id), text=asked.content, start_ms=start, end_ms=end)
    # An edit that is already there is a repeat whose first answer got lost: no conflict with itself.
    if result.after:
        _check_fresh(transcription, row, asked)
    return result


async def _split(session: AsyncSession, row: CaptionLineRow, asked: CaptionEdit) -> EditResult:
    if asked.at is None:
        raise EditFailed.field("at", "A split needs the place of the caret.")
    line = line_of(row)
    text = line.text if asked.content is None else asked.content
    at = code_points(text, asked.at)
    new_id = await _new_id(session, asked)
    return await _off_loop(edit.split_at, [line], line.id, at, new_id=new_id, rules=DEFAULT_RULES, text=asked.content)


async def _merge(
    session: AsyncSession, transcription: Transcription, row: CaptionLineRow, asked: CaptionEdit
) -> EditResult:
    near = list(await queries.neighbours(session, row))
    if asked.with_ is not None:
        other = await _row(session, transcription, asked.with_)
        _check_fresh(transcription, other, asked)
        if other not in near:
            near = sorted([*near, other], key=lambda each: each.start_ms)
    lines = [line_of(each) for each in near]
    result = edit.merge(lines, str(row.id), None if asked.with_ is None else str(asked.with_))
    touched = {line.id for line in result.before}
    for each in near:
        if str(each.id) in touched:
            _check_fresh(transcription, each, asked)
    return result


async def _add(session: AsyncSession, transcription: Transcription, asked: CaptionEdit) -> EditResult:
    start, end = _time("start", asked.start), _time("end", asked.end)
    if start is None or end is None:
        raise EditFailed("A new line needs a start and an end.")
    near = [line_of(row) for row in await queries.lines_within(session, transcription.id, start, end)]
    new_id = await _new_id(session, asked)
    return edit.add(near, new_id=new_id, start_ms=start, end_ms=end, text=asked.content or "")


async def moves_of(session: AsyncSession, transcription: Transcription, asked: CaptionEdit) -> dict[str, Any]:
    """What a Shift or an Extend does to all lines, for `apply_moves`; empty when nothing would change."""
    if asked.offset is None:
        raise EditFailed.field("offset", "Say by how many milliseconds the lines should be moved.")
    if asked.issued < transcription.revision:
        raise StaleEdit(CHANGED_SINCE, revision=transcription.revision)
    tool = moves.shift_of if asked.action is CaptionAction.SHIFT else moves.extension_of
    return await tool(session, transcription.id, asked.offset)


async def _new_id(session: AsyncSession, asked: CaptionEdit) -> str:
    """The id of the line to make. One that any file has already is refused: it would take that line's place."""
    if asked.new_line is not None and await session.get(CaptionLineRow, asked.new_line) is not None:
        raise EditFailed.field("new_line", TAKEN_ID)
    return str(asked.new_line or uuid.uuid4())


async def _row(session: AsyncSession, transcription: Transcription, line_id: uuid.UUID | None) -> CaptionLineRow:
    if line_id is None:
        raise EditFailed.field("line", "Say which line is meant.")
    row = await queries.line(session, transcription.id, line_id)
    if row is None:
        raise StaleEdit(GONE, revision=transcription.revision)
    return row


def _check_fresh(transcription: Transcription, row: CaptionLineRow, asked: CaptionEdit) -> None:
    if row.revision > asked.issued:
        raise StaleEdit(STALE, revision=transcription.revision, line=line_of(row), line_revision=row.revision)


def _time(name: str, value: str | int | None) -> int | None:
    if value is None:
        return None
    if isinstance(value, int):
        if not 0 <= value <= TIME_MS_MAX:
            raise EditFailed.field(name, OUTSIDE_CLOCK)
        return value
    try:
        return parse_time(value)
    except BadTime as bad:
        raise EditFailed.field(name, str(bad)) from bad


def code_points(text: str, units: int) -> int:
    """A caret counted in UTF-16 units, as browsers do, in characters of Python."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
