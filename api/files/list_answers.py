"""Answers of lists of files, kept while nothing that they show has changed.

Describing a hundred files takes 9 ms. Before a kept answer is sent, one statement reads the versions of everything it
shows, so no answer is out of date. Lists with work in progress, which depend on the time, are never kept.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Select, String, and_, cast, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.ai_texts.models import AiText
from api.auth.viewer import Viewer
from api.captions.models import CaptionTrack
from api.exports.models import Export
from api.files import queries
from api.files.listing import FileQuery, listed, page_order, wanted
from api.files.models import File, FileKind
from api.files.schemas import FileOut
from api.files.transitions import UNFINISHED
from api.http.paging import Page, page_of
from api.jobs.models import Job
from api.jobs.states import JobState
from api.tags.models import FileTag, Tag

KEPT_BYTES = 32_000_000
"""For all answers of a web process."""

_OPEN = (JobState.READY, JobState.RUNNING)


@dataclass
class KeptAnswers:
    """Bodies by the version of what they show, the latest used last."""

    limit: int = KEPT_BYTES
    bodies: OrderedDict[bytes, bytes] = field(default_factory=OrderedDict)
    size: int = 0

    def get(self, version: bytes) -> bytes | None:
        body = self.bodies.get(version)
        if body is not None:
            self.bodies.move_to_end(version)
        return body

    def put(self, version: bytes, body: bytes) -> None:
        self.size += len(body) - len(self.bodies.pop(version, b""))
        self.bodies[version] = body
        while self.size > self.limit:
            self.size -= len(self.bodies.popitem(last=False)[1])


async def answer(
    session: AsyncSession, kept: KeptAnswers, viewer: Viewer, query: FileQuery, kind: FileKind | None = None
) -> bytes:
    """The body of a page of the viewer's files, as JSON."""
    version = await _version(session, viewer, query, kind)
    body = None if version is None else kept.get(version)
    if body is not None:
        return body
    files, total = await listed(session, viewer, query, kind=kind)
    page: Page[FileOut] = page_of(await queries.describe_all(session, files), query, total)
    body = page.model_dump_json(by_alias=True).encode()
    # Each statement sees the database at its own moment, so something may have changed between them.
    if version is not None and version == await _version(session, viewer, query, kind):
        kept.put(version, body)
    return body


async def _version(session: AsyncSession, viewer: Viewer, query: FileQuery, kind: FileKind | None) -> bytes | None:
    """A hash of the versions of all rows that the page shows; None while any of its files is being worked on."""
    which = wanted(viewer, query, kind)
    ordered = select(File.id, File.updated_at, File.status).where(*which).order_by(*page_order(query.sort))
    page = ordered.limit(query.size).offset(query.offset).cte("page")
    ids = select(page.c.id)
    parts = (
        _joined(select((_text(page.c.id) + _text(page.c.updated_at)).label("part")).select_from(page)),
        _joined(_rows(Export, ids)),
        _joined(_rows(AiText, ids)),
        _joined(_rows(CaptionTrack, ids)),
        _joined(_rows(Job, ids)),
        _joined(
            select((_text(FileTag.file_id) + _text(Tag.id) + _text(Tag.updated_at)).label("part"))
            .join(Tag, Tag.id == FileTag.tag_id)
            .where(FileTag.file_id.in_(ids))
        ),
        select(func.count()).select_from(File).where(*which).scalar_subquery(),
    )
    is_open = or_(
        select(literal(1)).where(page.c.status.in_(UNFINISHED)).exists(),
        select(literal(1)).where(and_(Job.file_id.in_(ids), Job.state.in_(_OPEN))).exists(),
    )
    row = (await session.execute(select(is_open, *parts))).one()
    if row[0]:
        return None
    return hashlib.sha256(repr((query.page, query.size, *row[1:])).encode()).digest()


def _rows(table: Any, ids: Select[Any]) -> Select[Any]:
    """The id and time of each row of the files. Every change of a row sets its time."""
    return select((_text(table.id) + _text(table.updated_at)).label("part")).where(table.file_id.in_(ids))


def _joined(parts: Select[Any]) -> ColumnElement[Any]:
    each = parts.subquery()
    return select(func.aggregate_strings(each.c.part, ",")).scalar_subquery()


def _text(column: Any) -> ColumnElement[str]:
    return cast(column, String)
