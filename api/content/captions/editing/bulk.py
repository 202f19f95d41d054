"""The action `Change`: many changes of lines as one edit, with one revision."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.editing.changes import off_loop
from api.content.captions.editing.edits import ChangeLines, LineChangeIn
from api.content.captions.editing.following import linked_lines
from api.content.captions.errors import GONE, STALE, TAKEN_ID, EditFailed, StaleEdit
from api.content.captions.large import tools
from api.content.captions.large.change import LargeWork
from api.content.captions.links import is_linked, source_to_wire, texts_now
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.reading import all_lines, lines_by_id, lines_near
from api.content.captions.stored.rows import is_sqlite
from api.platform.db.expressions import in_list
from pipelines.captions.edits.bulk import AddedLine, BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.links import confirmed
from pipelines.messages.lines import CaptionLine

_MANY = 200
"""Named lines beyond which the track is read as a whole."""
_BATCH = 2_000


async def bulk_result(session: AsyncSession, track: CaptionTrack, request: ChangeLines) -> EditResult:
    """The lines before and after. Raises `StaleEdit`, `EditFailed` or `EditRefused`."""
    change = _values(request)
    named = [each.line for each in request.changes] + list(request.removed)
    lines = await _lines(session, track, named, change)
    have = {line.id for line in lines}
    if any(str(line_id) not in have for line_id in named):
        raise StaleEdit(GONE, revision=track.revision)
    await _check_new(session, [each.new_line for each in request.added])
    result = await off_loop(change_lines, lines, change)
    if is_linked(track):
        result = await _linked(session, track, change, result)
    # A change without effect is a repeat whose first answer was lost. It must not conflict with itself.
    await _check_fresh(session, track, request.issued, result.before)
    return result


async def work_of_bulk(session: AsyncSession, track: CaptionTrack, request: ChangeLines) -> LargeWork:
    """The change of a track of many lines, for an editor who has seen its newest state. Raises like `bulk_result`."""
    lines = await queries.text_of_lines(session, track.id)
    named = [each.line for each in request.changes] + list(request.removed)
    if not await _are_there(session, track, named):
        raise StaleEdit(GONE, revision=track.revision)
    await _check_new(session, [each.new_line for each in request.added])
    tool = partial(tools.change_many, change=_values(request))
    return LargeWork(tool, track.id, track.revision + 1, lines, is_sqlite(session))


async def _are_there(session: AsyncSession, track: CaptionTrack, ids: Sequence[uuid.UUID]) -> bool:
    """Whether the track has all of these lines."""
    found = 0
    distinct = list(set(ids))
    for start in range(0, len(distinct), _BATCH):
        batch = in_list(session, CaptionLineRow.id, distinct[start : start + _BATCH])
        statement = select(func.count()).where(CaptionLineRow.track_id == track.id, batch)
        found += await session.scalar(statement) or 0
    return found == len(distinct)


def _values(request: ChangeLines) -> BulkChange:
    changes = [_line_change(each) for each in request.changes]
    added = [
        AddedLine(
            *(str(each.new_line), each.start, each.end, each.content or ""),
            place=None if each.place is None else each.place.value,
        )
        for each in request.added
    ]
    return BulkChange(changes, added, [str(each) for each in request.removed], request.with_words)


def _line_change(given: LineChangeIn) -> LineChange:
    place = None if given.place is None else given.place.value
    return LineChange(
        str(given.line),
        given.content,
        given.start,
        given.end,
        place,
        sets_place="place" in given.model_fields_set,
        styles=None if given.styles is None else [frozenset(each) for each in given.styles],
        locked=given.locked,
        forced=given.forced,
    )


async def _lines(
    session: AsyncSession, track: CaptionTrack, named: Sequence[uuid.UUID], change: BulkChange
) -> list[CaptionLine]:
    """The named lines and those near their old and new places, in time order."""
    if len(named) + len(change.added) > _MANY:
        return await all_lines(session, track)
    own = await lines_by_id(session, track, named)
    times = [time for line in own.values() for time in (line.start_ms, line.end_ms)]
    times += [time for each in change.changes for time in (each.start_ms, each.end_ms) if time is not None]
    times += [time for new in change.added for time in (new.start_ms, new.end_ms)]
    near = await lines_near(session, track, min(times), max(times)) if times else []
    return sorted({**own, **{line.id: line for line in near}}.values(), key=lambda line: line.start_ms)


async def _check_new(session: AsyncSession, ids: Sequence[uuid.UUID]) -> None:
    """Refuse an id that any file already uses: the new line would overwrite that one."""
    for start in range(0, len(ids), _BATCH):
        batch = in_list(session, CaptionLineRow.id, list(ids[start : start + _BATCH]))
        if await session.scalar(select(CaptionLineRow.id).where(batch).limit(1)) is not None:
            raise EditFailed.field("new_line", TAKEN_ID)


async def _check_fresh(session: AsyncSession, track: CaptionTrack, issued: int, before: Sequence[CaptionLine]) -> None:
    """Refuse the change when one of its lines is newer than what the editor has seen."""
    if issued >= track.revision:
        return
    touched = {line.id: line for line in before}
    statement = (
        select(CaptionLineRow.id, CaptionLineRow.revision)
        .where(CaptionLineRow.track_id == track.id, CaptionLineRow.revision > issued)
        .order_by(CaptionLineRow.start_ms)
    )
    for line_id, revision in (await session.execute(statement)).tuples():
        line = touched.get(str(line_id))
        if line is None:
            continue
        source = None if line.link is None else source_to_wire(line.link, await texts_now(session, [line]))
        raise StaleEdit(STALE, revision=track.revision, line=line, line_revision=revision, source=source)


async def _linked(session: AsyncSession, track: CaptionTrack, change: BulkChange, result: EditResult) -> EditResult:
    """A person's change of a translation: new texts are confirmed for their source, new lines are linked by time."""
    written = {each.line for each in change.changes if each.content is not None}
    new_ids = {each.id for each in change.added}
    now = await texts_now(session, [line for line in result.after if line.id in written])
    new = [line for line in result.after if line.id in new_ids]
    linked: Mapping[str, CaptionLine] = {
        line.id: line for line in await linked_lines(session, track, new, replaced=result.before)
    }
    after = [
        linked.get(line.id, line)
        if line.link is None or line.id not in written
        else replace(line, link=confirmed(line.link, now))
        for line in result.after
    ]
    return EditResult(result.before, tuple(after))
