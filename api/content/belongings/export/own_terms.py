"""What a copy holds of tags, words, terms, styles and quality profiles."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import select

from api.content.files.models import File
from api.content.glossary.csv_form import format_csv
from api.content.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.content.quality.models import QualityProfileRow
from api.content.styles.models import CaptionStyleRow
from api.content.tags.models import FileTag, Tag
from api.people.account.export.json_parts import json_bytes
from api.people.account.export.scope import Scope
from api.platform.db.engine import Database


async def tags(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        tags = (await session.scalars(select(Tag).where(scope.owned(Tag)).order_by(Tag.name))).all()
        statement = (
            select(FileTag.tag_id, File.slug)
            .join(File, File.id == FileTag.file_id)
            .where(FileTag.tag_id.in_([tag.id for tag in tags]))
        )
        slugs: dict[uuid.UUID, list[str]] = {}
        for tag_id, slug in (await session.execute(statement)).tuples():
            slugs.setdefault(tag_id, []).append(slug)
    return json_bytes(
        [
            {"name": tag.name, "colour": tag.colour, "team_id": tag.team_id, "files": slugs.get(tag.id, [])}
            for tag in tags
        ]
    )


async def words(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        known = await session.scalars(select(KnownWordRow).where(scope.owned(KnownWordRow)).order_by(KnownWordRow.word))
        corrected = await session.scalars(
            select(WordCorrectionRow)
            .where(scope.owned(WordCorrectionRow))
            .order_by(WordCorrectionRow.created_at, WordCorrectionRow.id)
        )
        return json_bytes(
            {
                "known": [{"word": row.word, "language": row.language} for row in known],
                "corrected": [
                    {"wrong": row.wrong, "right": row.right, "language": row.language, "at": row.created_at}
                    for row in corrected
                ],
            }
        )


async def glossary(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        rows: Iterable[GlossaryTermRow] = await session.scalars(
            select(GlossaryTermRow).where(scope.owned(GlossaryTermRow)).order_by(GlossaryTermRow.source)
        )
        return format_csv(rows)


async def styles(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        rows = await session.scalars(
            select(CaptionStyleRow).where(scope.owned(CaptionStyleRow)).order_by(CaptionStyleRow.name)
        )
        return json_bytes([{"name": row.name, "team_id": row.team_id, "style": row.style} for row in rows])


async def quality_profiles(database: Database, scope: Scope) -> bytes:
    async with database.read() as session:
        rows = (await session.scalars(select(QualityProfileRow).where(scope.owned(QualityProfileRow)))).all()
    return json_bytes([{"name": row.name, "team_id": row.team_id, "limits": row.limits} for row in rows])
