"""Find files by the words of their names and captions."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.files.models import File, FileKind
from api.content.search.excerpts import excerpt_of, parts_of
from api.content.search.matching import line_contains, name_contains
from api.content.search.schemas import FoundOut, MatchOut
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import in_list
from api.platform.db.search_words import Term, terms_of
from api.platform.http.paging import PageQuery
from pipelines.captions.timestamps import format_time
from pipelines.languages import language_label

SEARCH_MIN = 3
"""Least characters of a keyword."""
MATCHES_MAX = 5
"""Lines shown of one file."""

_FILE = (File.id, File.slug, File.name, File.kind, File.team_id, File.duration_ms, File.created_at, File.poster_key)


async def search(session: AsyncSession, viewer: Viewer, keyword: str, page: PageQuery) -> tuple[list[FoundOut], int]:
    """A page of the files that the viewer may see and whose name or captions contain all words, newest first.

    Returns them with the number of files on all pages.
    """
    terms = terms_of(keyword)
    if not terms:
        return [], 0
    # Only the viewer's own lines are counted, however often others say the word.
    visible = select(File.id).where(may_see(viewer, File))
    hits = (
        select(CaptionTrack.file_id, func.count().label("hits"))
        .join(CaptionLineRow, CaptionLineRow.track_id == CaptionTrack.id)
        .where(CaptionTrack.file_id.in_(visible), CaptionTrack.deleted_at.is_(None), line_contains(session, terms))
        .group_by(CaptionTrack.file_id)
        .subquery()
    )
    which = and_(may_see(viewer, File), or_(hits.c.file_id.is_not(None), name_contains(terms)))
    joined = select(*_FILE, func.coalesce(hits.c.hits, 0).label("hits"), func.count().over().label("total"))
    statement = joined.outerjoin(hits, hits.c.file_id == File.id).where(which)
    ordered = statement.order_by(File.created_at.desc(), File.id).offset(page.offset).limit(page.size)
    files = (await session.execute(ordered)).all()
    if not files:
        # The page lies beyond the last one, or nothing was found.
        first = (await session.execute(statement.limit(1))).first() if page.page > 1 else None
        return [], 0 if first is None else first.total
    matches = await _matches(session, [file.id for file in files if file.hits], terms, keyword)
    return [_describe(file, keyword, matches.get(file.id, [])) for file in files], files[0].total


async def _matches(
    session: AsyncSession, file_ids: Sequence[uuid.UUID], terms: Sequence[Term], keyword: str
) -> dict[uuid.UUID, list[MatchOut]]:
    """By file, the first lines that were found: those of the transcription before those of translations."""
    if not file_ids:
        return {}
    is_translation = CaptionTrack.origin == TrackOrigin.TRANSLATION
    order = (is_translation, CaptionTrack.language, CaptionLineRow.start_ms, CaptionLineRow.id)
    ranked = (
        select(
            CaptionTrack.file_id,
            CaptionTrack.language,
            is_translation.label("is_translation"),
            CaptionLineRow.id,
            CaptionLineRow.start_ms,
            CaptionLineRow.text,
            func.row_number().over(partition_by=CaptionTrack.file_id, order_by=order).label("number"),
        )
        .join(CaptionTrack, CaptionTrack.id == CaptionLineRow.track_id)
        .where(
            in_list(session, CaptionTrack.file_id, file_ids),
            CaptionTrack.deleted_at.is_(None),
            line_contains(session, terms),
        )
        .subquery()
    )
    found: dict[uuid.UUID, list[MatchOut]] = defaultdict(list)
    statement = select(ranked).where(ranked.c.number <= MATCHES_MAX).order_by(ranked.c.file_id, ranked.c.number)
    for row in await session.execute(statement):
        found[row.file_id].append(
            MatchOut(
                line=row.id,
                language=row.language,
                language_label=language_label(row.language),
                is_translation=bool(row.is_translation),
                start_ms=row.start_ms,
                startTime=format_time(row.start_ms),
                text=row.text,
                excerpt=excerpt_of(row.text, keyword),
            )
        )
    return found


def _describe(file: Row[*tuple[Any, ...]], keyword: str, matches: list[MatchOut]) -> FoundOut:
    return FoundOut(
        id=file.id,
        slug=file.slug,
        name=file.name,
        title=parts_of(file.name, keyword),
        kind=FileKind(file.kind),
        team_id=file.team_id,
        duration_ms=file.duration_ms,
        created_at=file.created_at,
        poster_url=f"/api/files/{file.slug}/poster" if file.poster_key else None,
        hits=file.hits,
        matches=matches,
    )
