from __future__ import annotations

import uuid
from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.auth.viewer import Viewer
from api.captions.history import History, replay
from api.captions.models import CaptionLineRow, CaptionRevision, Transcription
from api.captions.schemas import FoundOut, MatchOut
from api.db.matching import contains_text
from api.files.models import File
from api.files.queries import visible
from pipelines.captions.times import format_time

SEARCH_MIN = 3
"""Characters a keyword needs (section 9 of the specification)."""

FILES_MAX = 50
LINES_MAX = 500
MATCHES_MAX = 5


async def transcription_of(session: AsyncSession, file: File) -> Transcription | None:
    return (await session.scalars(select(Transcription).where(Transcription.file_id == file.id))).one_or_none()


async def all_lines(session: AsyncSession, transcription_id: uuid.UUID) -> Sequence[CaptionLineRow]:
    """The lines in time order."""
    statement = (
        select(CaptionLineRow)
        .where(CaptionLineRow.transcription_id == transcription_id)
        .order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
    )
    return (await session.scalars(statement)).all()


async def lines_within(
    session: AsyncSession, transcription_id: uuid.UUID, start_ms: int, end_ms: int
) -> Sequence[CaptionLineRow]:
    """The lines that share time with the span, in time order."""
    statement = (
        select(CaptionLineRow)
        .where(
            CaptionLineRow.transcription_id == transcription_id,
            CaptionLineRow.start_ms < end_ms,
            CaptionLineRow.end_ms > start_ms,
        )
        .order_by(CaptionLineRow.start_ms)
    )
    return (await session.scalars(statement)).all()


async def neighbours(session: AsyncSession, row: CaptionLineRow) -> Sequence[CaptionLineRow]:
    """The line before, the line itself and the line after, those there are."""
    mine = CaptionLineRow.transcription_id == row.transcription_id
    before = (
        select(CaptionLineRow)
        .where(mine, CaptionLineRow.start_ms < row.start_ms)
        .order_by(CaptionLineRow.start_ms.desc())
        .limit(1)
    )
    after = (
        select(CaptionLineRow)
        .where(mine, CaptionLineRow.start_ms > row.start_ms)
        .order_by(CaptionLineRow.start_ms)
        .limit(1)
    )
    return [*(await session.scalars(before)), row, *(await session.scalars(after))]


async def line(session: AsyncSession, transcription_id: uuid.UUID, line_id: uuid.UUID) -> CaptionLineRow | None:
    statement = select(CaptionLineRow).where(
        CaptionLineRow.transcription_id == transcription_id, CaptionLineRow.id == line_id
    )
    return (await session.scalars(statement)).one_or_none()


async def history(session: AsyncSession, transcription_id: uuid.UUID) -> History:
    statement = (
        select(CaptionRevision.number, CaptionRevision.action)
        .where(CaptionRevision.transcription_id == transcription_id)
        .order_by(CaptionRevision.number)
    )
    return replay((number, action) for number, action in await session.execute(statement))


async def revision(session: AsyncSession, transcription_id: uuid.UUID, number: int) -> CaptionRevision:
    statement = select(CaptionRevision).where(
        CaptionRevision.transcription_id == transcription_id, CaptionRevision.number == number
    )
    return (await session.scalars(statement)).one()


async def revision_of(session: AsyncSession, transcription_id: uuid.UUID, command: uuid.UUID) -> CaptionRevision | None:
    statement = select(CaptionRevision).where(
        CaptionRevision.transcription_id == transcription_id, CaptionRevision.command_id == command
    )
    return (await session.scalars(statement)).one_or_none()


async def search(session: AsyncSession, viewer: Viewer, keyword: str) -> list[FoundOut]:
    """Files the viewer may see whose captions or name hold the keyword, the newest first."""
    spoken = (
        select(File, CaptionLineRow.id, CaptionLineRow.start_ms, CaptionLineRow.text)
        .join(Transcription, Transcription.file_id == File.id)
        .join(CaptionLineRow, CaptionLineRow.transcription_id == Transcription.id)
        .where(visible(viewer), contains_text(func.replace(CaptionLineRow.text, "\n", " "), keyword))
        .order_by(File.created_at.desc(), File.id, CaptionLineRow.start_ms)
        .limit(LINES_MAX)
    )
    named = (
        select(File)
        .where(visible(viewer), contains_text(File.name, keyword))
        .order_by(File.created_at.desc(), File.id)
        .limit(FILES_MAX)
    )
    found: dict[uuid.UUID, FoundOut] = {}
    rows = (await session.execute(spoken)).all()
    for file, group in groupby(rows, key=lambda row: row[0]):
        matches = [
            MatchOut(line=line_id, start_ms=start_ms, startTime=format_time(start_ms), text=text)
            for _, line_id, start_ms, text in list(group)[:MATCHES_MAX]
        ]
        found[file.id] = _found(file, matches)
    for file in await session.scalars(named):
        found.setdefault(file.id, _found(file, []))
    return sorted(found.values(), key=lambda each: each.created_at, reverse=True)[:FILES_MAX]


def _found(file: File, matches: list[MatchOut]) -> FoundOut:
    return FoundOut(id=file.id, slug=file.slug, name=file.name, created_at=file.created_at, matches=matches)
