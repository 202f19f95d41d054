"""From what an editor asks for to the lines before and after: finds the rows, checks that they are not newer."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from api.captions import queries
from api.captions.actions import CaptionAction
from api.captions.errors import GONE, STALE, TAKEN_ID, EditFailed, StaleEdit
from api.captions.models import CaptionLineRow, Transcription
from api.captions.rows import line_of
from api.captions.schemas import CaptionEdit
from pipelines.captions import edit
from pipelines.captions.edit import EditResult
from pipelines.captions.lines import CaptionLine
from pipelines.captions.realign import realign
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.times import BadTime, parse_time


async def result_of(session: AsyncSession, transcription: Transcription, asked: CaptionEdit) -> EditResult:
    """The change as lines before and after. Raises `StaleEdit`, `EditFailed` or `EditRefused`."""
    match asked.action:
        case CaptionAction.NONE:
            return EditResult()
        case CaptionAction.ADD:
            return await _add(session, transcription, asked)
        case CaptionAction.SHIFT | CaptionAction.EXTEND:
            return await _all(session, transcription, asked)
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


def imported(before: Sequence[CaptionLine], lines: Sequence[CaptionLine]) -> EditResult:
    """Lines of a file in the place of all others. A line that starts where an old one did keeps its id and its words.

    So a file that was downloaded, corrected elsewhere and brought back loses no word time.
    """
    old = {line.start_ms: line for line in before}
    after = []
    for line in lines:
        kept = old.get(line.start_ms)
        if kept is None:
            after.append(replace(line, id=str(uuid.uuid4())))
        elif kept.text == line.text:
            after.append(replace(kept, end_ms=line.end_ms))
        else:
            moved = replace(kept, end_ms=line.end_ms)
            after.append(replace(moved, text=line.text, words=realign(moved, line.text), doubts=()))
    unchanged = set(before) & set(after)
    return EditResult(
        tuple(line for line in before if line not in unchanged),
        tuple(line for line in after if line not in unchanged),
    )


async def _edit(
    session: AsyncSession, transcription: Transcription, row: CaptionLineRow, asked: CaptionEdit
) -> EditResult:
    start, end = _time("start", asked.start), _time("end", asked.end)
    reach = (
        row.start_ms if start is None else min(row.start_ms, start),
        row.end_ms if end is None else max(row.end_ms, end),
    )
    near = [line_of(other) for other in await queries.lines_within(session, transcription.id, *reach)]
    result = edit.edit_line(near, str(row.id), text=asked.content, start_ms=start, end_ms=end)
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
    return edit.split_at([line], line.id, at, new_id=new_id, rules=DEFAULT_RULES, text=asked.content)


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


async def _all(session: AsyncSession, transcription: Transcription, asked: CaptionEdit) -> EditResult:
    if asked.offset is None:
        raise EditFailed.field("offset", "Say by how many milliseconds the lines should be moved.")
    lines = [line_of(row) for row in await queries.all_lines(session, transcription.id)]
    tool = edit.shift if asked.action is CaptionAction.SHIFT else edit.extend
    return tool(lines, asked.offset)


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
    if value is None or isinstance(value, int):
        return value
    try:
        return parse_time(value)
    except BadTime as bad:
        raise EditFailed.field(name, str(bad)) from bad


def code_points(text: str, units: int) -> int:
    """A caret counted in UTF-16 units, as browsers do, in characters of Python."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
