"""Which changes of translations follow a change of their source, and how undo takes both back."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.links import linked_to, mark_translations, sources_of_track
from api.content.captions.models import CaptionLineRow, CaptionRevision, CaptionTrack
from api.content.captions.reading import all_lines, lines_by_id, lines_near
from api.content.captions.stored.revision_lines import result_of_text
from api.platform.db.expressions import in_list
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.linked import follow, linked_by_time, needs_step
from pipelines.captions.lanes import first_overlap
from pipelines.captions.reading.cues import with_words
from pipelines.messages.lines import CaptionLine

_MANY = 200
"""Changed lines beyond which a translation is read as a whole."""
_BATCH = 2_000


@dataclass(frozen=True, slots=True)
class Step:
    """Which change an undo takes back, or a redo repeats (`is_undo` false)."""

    number: int
    is_undo: bool


@dataclass(frozen=True, slots=True)
class Following:
    """The change of a translation. `step` is set when it takes back or repeats one of that translation's changes."""

    track: CaptionTrack
    result: EditResult
    step: Step | None = None


async def translations_of(session: AsyncSession, track: CaptionTrack) -> Sequence[CaptionTrack]:
    """The tracks made from this one, those included that can be restored."""
    statement = select(CaptionTrack).where(CaptionTrack.source_track_id == track.id).order_by(CaptionTrack.created_at)
    return (await session.scalars(statement)).all()


async def followers(
    session: AsyncSession,
    track: CaptionTrack,
    translations: Sequence[CaptionTrack],
    change: EditResult,
    step: Step | None,
) -> AsyncIterator[Following]:
    """What each translation does after a change of `track` that is written. Also marks stale lines."""
    touched = [uuid.UUID(line_id) for line_id in {line.id for line in (*change.before, *change.after)}]
    await mark_translations(session, touched)
    if not needs_step(change):
        return
    before = [uuid.UUID(line.id) for line in change.before]
    linked = await linked_to(session, before, [each.id for each in translations])
    for translation in translations:
        if step is not None:
            exact = await _stepped(session, track, translation, step)
            if exact is not None:
                yield exact
                continue
        if linked.get(translation.id):
            lines = await _lines_near(session, translation, change, linked[translation.id])
            starts = await _other_starts(session, lines, change)
            result = await asyncio.to_thread(follow, change, lines, new_id=lambda: str(uuid.uuid4()), starts=starts)
            if result.before or result.after:
                yield Following(translation, result)


async def linked_lines(
    session: AsyncSession, track: CaptionTrack, lines: Sequence[CaptionLine], *, replaced: Sequence[CaptionLine] = ()
) -> list[CaptionLine]:
    """Lines of a person, in time order, linked to the source lines at their time that no other line translates.

    `replaced` are lines that the same change removes.
    """
    if not lines or track.source_track_id is None:
        return list(lines)
    gone = {line.id for line in replaced}
    covered = {
        source.id
        for line_id, sources in (await sources_of_track(session, track.id)).items()
        if line_id not in gone
        for source in sources
    }
    statement = (
        select(CaptionLineRow.id, CaptionLineRow.start_ms, CaptionLineRow.end_ms, CaptionLineRow.text)
        .where(
            CaptionLineRow.track_id == track.source_track_id,
            CaptionLineRow.start_ms < max(line.end_ms for line in lines),
            CaptionLineRow.end_ms > min(line.start_ms for line in lines),
        )
        .order_by(CaptionLineRow.start_ms)
    )
    rows = await session.execute(statement)
    free = [CaptionLine(str(row.id), row.start_ms, row.end_ms, row.text) for row in rows if str(row.id) not in covered]
    return await asyncio.to_thread(linked_by_time, sorted(lines, key=lambda line: line.start_ms), free)


async def _stepped(
    session: AsyncSession, track: CaptionTrack, translation: CaptionTrack, step: Step
) -> Following | None:
    """Exactly what the translation did with the change, taken back or repeated. None when its lines changed since."""
    row = await following_revision(session, track, translation, step.number)
    if row is None or row.moves:
        return None
    made = await asyncio.to_thread(result_of_text, row.before, row.after)
    wanted = made.undone() if step.is_undo else made
    if not await fits_exactly(session, translation, wanted):
        return None
    return Following(translation, wanted, Step(row.number, step.is_undo))


async def fits_exactly(session: AsyncSession, track: CaptionTrack, wanted: EditResult) -> bool:
    """Whether the track holds the lines before the change as they are there, and room for those after it."""
    touched = [uuid.UUID(line_id) for line_id in {line.id for line in (*wanted.before, *wanted.after)}]
    if await lines_by_id(session, track, touched) != {line.id: line for line in wanted.before}:
        return False
    if not wanted.after:
        return True
    replaced = {line.id for line in wanted.before}
    start, end = min(line.start_ms for line in wanted.after), max(line.end_ms for line in wanted.after)
    others = [line for line in await lines_near(session, track, start, end) if line.id not in replaced]
    return first_overlap((*wanted.after, *others)) is None


async def following_revision(session: AsyncSession, track: CaptionTrack, translation: CaptionTrack, number: int) -> Any:
    """The revision in which a translation followed this change of `track`; None if it did not or was pruned."""
    statement = select(CaptionRevision.number).where(
        CaptionRevision.follows_track_id == track.id,
        CaptionRevision.follows_number == number,
        CaptionRevision.track_id == translation.id,
    )
    found = await session.scalar(statement)
    return None if found is None else await queries.revision(session, translation.id, found)


async def has_followed_since(session: AsyncSession, track: CaptionTrack, number: int) -> bool:
    """Whether a change of the source reached this translation after its revision `number`."""
    statement = select(CaptionRevision.number).where(
        CaptionRevision.track_id == track.id,
        CaptionRevision.number > number,
        CaptionRevision.follows_number.is_not(None),
    )
    return await session.scalar(statement.limit(1)) is not None


async def reconciled(session: AsyncSession, track: CaptionTrack, wanted: EditResult) -> EditResult | None:
    """An undo or redo for lines that moved with the source since: texts change, times and links stay. None if it fails.

    `wanted` is the change as it would be had nothing moved.
    """
    if await fits_exactly(session, track, wanted):
        return wanted
    before, after = ({line.id: line for line in lines} for lines in (wanted.before, wanted.after))
    present = await lines_by_id(session, track, [uuid.UUID(line_id) for line_id in before])
    if before.keys() != after.keys() or present.keys() != before.keys():
        return None
    changed = {line_id: _carried(present[line_id], before[line_id], after[line_id]) for line_id in before}
    return EditResult(tuple(present.values()), tuple(changed.values()))


def _carried(now: CaptionLine, before: CaptionLine, after: CaptionLine) -> CaptionLine:
    """The change of one line, on the line as it is now."""
    text = after.text if before.text != after.text else now.text
    link = now.link
    if link is not None and after.link is not None and before.link != after.link:
        texts = {source.id: source.text for source in after.link.sources}
        sources = tuple(replace(each, text=texts.get(each.id, each.text)) for each in link.sources)
        link = replace(after.link, sources=sources)
    return with_words(replace(now, text=text, words=now.words if text == now.text else (), link=link))


async def _lines_near(
    session: AsyncSession, track: CaptionTrack, change: EditResult, linked: set[uuid.UUID]
) -> list[CaptionLine]:
    """The linked lines and all others that the change could touch, in time order."""
    if len(linked) > _MANY:
        return await all_lines(session, track)
    own = await lines_by_id(session, track, list(linked))
    spans = [*own.values(), *change.before, *change.after]
    start, end = min(line.start_ms for line in spans), max(line.end_ms for line in spans)
    reach = max((line.end_ms for line in own.values()), default=end) - start
    near = await lines_near(session, track, max(0, start - reach), end + reach)
    return sorted({**own, **{line.id: line for line in near}}.values(), key=lambda line: line.start_ms)


async def _other_starts(session: AsyncSession, lines: Sequence[CaptionLine], change: EditResult) -> dict[str, int]:
    """When source lines start that the change does not touch but that these lines are linked to as well."""
    known = {line.id for line in change.after}
    other = {each.id for line in lines if line.link for each in line.link.sources if each.id not in known}
    ids = [uuid.UUID(line_id) for line_id in other]
    found: dict[str, int] = {}
    for start in range(0, len(ids), _BATCH):
        batch = in_list(session, CaptionLineRow.id, ids[start : start + _BATCH])
        statement = select(CaptionLineRow.id, CaptionLineRow.start_ms).where(batch)
        found |= {str(line_id): start_ms for line_id, start_ms in await session.execute(statement)}
    return found
