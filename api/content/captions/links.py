"""Links between lines of a translation and lines of its source, as rows and as values."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionLink, CaptionTrack
from api.platform.db.expressions import in_list
from pipelines.captions.edits.links import is_stale
from pipelines.messages.lines import CaptionLine, LineLink, SourceText, Writer

_BATCH = 2_000
"""SQLite takes at most 32,766 values in a statement."""

Sources = Mapping[str, tuple[SourceText, ...]]
"""By the id of a translated line, the source lines it translates, in order."""


def is_linked(track: CaptionTrack) -> bool:
    """Whether the lines of a track translate lines of another track."""
    return track.source_track_id is not None


async def sources_of_track(session: AsyncSession, track_id: uuid.UUID) -> Sources:
    return await _sources(session, CaptionLink.track_id == track_id)


async def sources_of_lines(session: AsyncSession, line_ids: Sequence[uuid.UUID]) -> Sources:
    found: dict[str, tuple[SourceText, ...]] = {}
    for start in range(0, len(line_ids), _BATCH):
        found |= await _sources(session, in_list(session, CaptionLink.target_id, line_ids[start : start + _BATCH]))
    return found


async def _sources(session: AsyncSession, which: ColumnElement[bool]) -> dict[str, tuple[SourceText, ...]]:
    statement = (
        select(CaptionLink.target_id, CaptionLink.source_id, CaptionLink.text)
        .where(which)
        .order_by(CaptionLink.target_id, CaptionLink.position)
    )
    found: dict[str, list[SourceText]] = defaultdict(list)
    for target_id, source_id, text in await session.execute(statement):
        found[str(target_id)].append(SourceText(str(source_id), text))
    return {target_id: tuple(sources) for target_id, sources in found.items()}


def with_link(
    line: CaptionLine, written_by: str | None, flags: Sequence[str], log_probability: float | None, sources: Sources
) -> CaptionLine:
    """A line of a translation with its link."""
    by = Writer(written_by) if written_by else Writer.PERSON
    return replace(line, link=LineLink(sources.get(line.id, ()), by, tuple(flags), log_probability))


async def insert_links(session: AsyncSession, track_id: uuid.UUID, lines: Sequence[CaptionLine]) -> None:
    """Insert the links of lines that have just been inserted."""
    values = [
        {
            "target_id": uuid.UUID(line.id),
            "position": position,
            "track_id": track_id,
            "source_id": uuid.UUID(source.id),
            "text": source.text,
            "is_stale": False,
        }
        for line in lines
        if line.link is not None
        for position, source in enumerate(line.link.sources)
    ]
    for start in range(0, len(values), _BATCH):
        await session.execute(insert(CaptionLink), values[start : start + _BATCH])
    if values:
        await _mark_stale(session, CaptionLink.target_id, [uuid.UUID(line.id) for line in lines])


async def mark_translations(session: AsyncSession, source_ids: Sequence[uuid.UUID]) -> None:
    """Mark the translations of source lines that changed as stale, or as up to date again."""
    await _mark_stale(session, CaptionLink.source_id, source_ids)


async def _mark_stale(session: AsyncSession, column: Any, ids: Sequence[uuid.UUID]) -> None:
    now = select(CaptionLineRow.text).where(CaptionLineRow.id == CaptionLink.source_id).scalar_subquery()
    said, says = func.replace(CaptionLink.text, "\n", " "), func.replace(func.coalesce(now, ""), "\n", " ")
    for start in range(0, len(ids), _BATCH):
        await session.execute(
            update(CaptionLink)
            .where(in_list(session, column, ids[start : start + _BATCH]))
            .values(is_stale=said != says)
            .execution_options(synchronize_session=False)
        )


async def texts_now(session: AsyncSession, lines: Iterable[CaptionLine]) -> dict[str, str]:
    """The present texts, by id, of the source lines that these lines are linked to."""
    ids = list({uuid.UUID(source.id) for line in lines if line.link for source in line.link.sources})
    found: dict[str, str] = {}
    for start in range(0, len(ids), _BATCH):
        batch = in_list(session, CaptionLineRow.id, ids[start : start + _BATCH])
        rows = await session.execute(select(CaptionLineRow.id, CaptionLineRow.text).where(batch))
        found |= {str(line_id): text for line_id, text in rows}
    return found


async def texts_of_source(session: AsyncSession, track: CaptionTrack) -> dict[str, str]:
    """The present texts, by id, of all lines of a track's source."""
    statement = select(CaptionLineRow.id, CaptionLineRow.text).where(CaptionLineRow.track_id == track.source_track_id)
    return {str(line_id): text for line_id, text in await session.execute(statement)}


async def linked_to(
    session: AsyncSession, source_ids: Sequence[uuid.UUID], track_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By track, the lines that translate these source lines."""
    found: dict[uuid.UUID, set[uuid.UUID]] = defaultdict(set)
    for start in range(0, len(source_ids), _BATCH):
        batch = in_list(session, CaptionLink.source_id, source_ids[start : start + _BATCH])
        statement = select(CaptionLink.track_id, CaptionLink.target_id).where(
            batch, CaptionLink.track_id.in_(track_ids)
        )
        for track_id, target_id in await session.execute(statement):
            found[track_id].add(target_id)
    return found


def source_to_wire(link: LineLink, now: Mapping[str, str]) -> dict[str, Any]:
    """`SourceOut` as plain JSON."""
    return {
        "ids": [source.id for source in link.sources],
        "text": " ".join(source.text for source in link.sources if source.text),
        "now": " ".join(filter(None, (now.get(source.id, "") for source in link.sources))),
        "stale": is_stale(link, now),
        "by": link.by.value,
        "flags": list(link.flags),
        "log_probability": link.log_probability,
    }
