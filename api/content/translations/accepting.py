"""Fit the result of a translation to what people changed while it was made."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.speech.target_lines import line_of_target
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.linked import follow
from pipelines.captions.edits.linked_times import apart
from pipelines.messages.lines import CaptionLine, LinePlace, Writer
from pipelines.messages.translate import SourceLine, TranslateRequest, TranslateResult


def as_of_now(
    request: TranslateRequest, result: TranslateResult, source_lines: Sequence[CaptionLine]
) -> list[CaptionLine]:
    """The translated lines, in step with the source as it is now.

    They follow all that happened to the source since the request was made, as one change. Lines whose source was
    deleted are dropped; lines whose source text changed are stale. A line looks as its source does now.
    """
    looks = {line.id: _Look(line.place, line.forced) for line in source_lines}
    made = [(line_of_target(line), looks.get(line.source_ids[0], _Look())) for line in result.lines]
    looking = (replace(line, place=look.place, forced=look.forced) for line, look in made)
    lines = sorted(looking, key=lambda line: line.start_ms)
    then = {line.id: _bare(line, looks) for line in request.lines}
    now = {line.id: _bare(line, looks) for line in source_lines}
    change = EditResult(
        tuple(line for line_id, line in then.items() if now.get(line_id) != line),
        tuple(line for line_id, line in now.items() if then.get(line_id) != line),
    )
    starts = {line.id: line.start_ms for line in source_lines}
    followed = follow(change, lines, new_id=lambda: str(uuid.uuid4()), starts=starts)
    gone = {line.id for line in followed.before}
    return sorted([*(line for line in lines if line.id not in gone), *followed.after], key=lambda line: line.start_ms)


@dataclass(frozen=True, slots=True)
class _Look:
    place: LinePlace | None = None
    forced: bool = False


def _bare(line: SourceLine | CaptionLine, looks: Mapping[str, _Look]) -> CaptionLine:
    look = looks.get(line.id, _Look())
    return CaptionLine(line.id, line.start_ms, line.end_ms, line.text, place=look.place, forced=look.forced)


async def accepted(
    session: AsyncSession, track: CaptionTrack, request: TranslateRequest, lines: Sequence[CaptionLine]
) -> EditResult:
    """The change of a translation that is there already: new lines in place of those for the same source lines.

    Lines that a person wrote stay unless the request includes them, and always when they were written since.
    """
    present = await all_lines(session, track)
    written = await _written_since(session, track, request.target_revision or 0)
    translated = {each for line in lines for each in _source_ids(line)}
    concerned = [line for line in present if not translated.isdisjoint(_source_ids(line))]
    stays = {line.id for line in concerned if line.id in written or (_by_person(line) and not request.include_edited)}
    replaced = [line for line in concerned if line.id not in stays]
    gone = {line.id for line in replaced}
    open_ids = translated - {each for line in concerned if line.id in stays for each in _source_ids(line)}
    new = [line for line in (_only(line, open_ids) for line in lines) if line is not None]
    fitted = _fitted(_under_old_ids(new, replaced), [line for line in present if line.id not in gone])
    unchanged = set(replaced) & set(fitted)
    return EditResult(
        tuple(line for line in replaced if line not in unchanged),
        tuple(line for line in fitted if line not in unchanged),
    )


async def _written_since(session: AsyncSession, track: CaptionTrack, revision: int) -> set[str]:
    """Lines that a person wrote after this revision."""
    statement = select(CaptionLineRow.id).where(
        CaptionLineRow.track_id == track.id,
        CaptionLineRow.written_by == Writer.PERSON,
        CaptionLineRow.revision > revision,
    )
    return {str(line_id) for line_id in await session.scalars(statement)}


def _under_old_ids(new: Sequence[CaptionLine], replaced: Sequence[CaptionLine]) -> list[CaptionLine]:
    """The lines under the ids of those they replace, so that pages and undo recognise them."""
    old = {_source_ids(line)[0]: line.id for line in reversed(replaced)}
    return [replace(line, id=old.pop(_source_ids(line)[0], line.id)) for line in new]


def _fitted(new: Sequence[CaptionLine], others: Sequence[CaptionLine]) -> list[CaptionLine]:
    """The new lines without overlap. One that has no room beside lines that stay is left out, and so is missing."""
    fitted = apart(new, others)
    if fitted is None:
        free = [line for line in new if not any(_overlap(line, other) for other in others)]
        fitted = apart(free, others)
    return fitted or []


def _overlap(one: CaptionLine, other: CaptionLine) -> bool:
    return one.lane is other.lane and one.start_ms < other.end_ms and other.start_ms < one.end_ms


def _only(line: CaptionLine, source_ids: Collection[str]) -> CaptionLine | None:
    """The line, linked only to these source lines; None when none is left."""
    if line.link is None:
        return None
    sources = tuple(source for source in line.link.sources if source.id in source_ids)
    return replace(line, link=replace(line.link, sources=sources)) if sources else None


def _by_person(line: CaptionLine) -> bool:
    return line.link is not None and line.link.by is Writer.PERSON


def _source_ids(line: CaptionLine) -> list[str]:
    return [] if line.link is None else [source.id for source in line.link.sources]
