"""List a person's files in pages: which ones, and in what order."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints
from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileKind, FileStatus
from api.content.library.description import PAGE_COLUMNS, FileRow
from api.content.tags.models import FileTag, Tag
from api.people.access.rules import may_see, shared_with
from api.people.auth.viewer import Viewer
from api.platform.db.expressions import contains_text
from api.platform.http.limits import KEYWORD_MAX, LANGUAGE_CODE_MAX
from api.platform.http.paging import PageQuery
from api.platform.http.text import CLEAN_LINE

UNTAGGED = "none"
"""The value of `tag` for files without any. Slugs have no `o`."""
MINE = "mine"
"""The value of `team` for one's own files outside of teams."""

Word = Annotated[str, StringConstraints(max_length=LANGUAGE_CODE_MAX), CLEAN_LINE]


class FileSort(StrEnum):
    """A leading minus means descending order."""

    NEWEST = "-created_at"
    OLDEST = "created_at"
    NAME = "name"
    NAME_LAST = "-name"
    LONGEST = "-duration_ms"
    SHORTEST = "duration_ms"
    LARGEST = "-size_bytes"
    SMALLEST = "size_bytes"


class FileQuery(PageQuery):
    """`q` is matched against names. Several values of `status`, `tag` or `language` mean any of them; none means all.

    `tag` is the slug of a tag, or `none` for files without tags. `team` is the id of a team, or `mine` for one's own.
    """

    sort: FileSort = FileSort.NEWEST
    status: list[FileStatus] = Field(default_factory=list)
    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""
    tag: list[Word] = Field(default_factory=list, max_length=50)
    language: list[Word] = Field(default_factory=list, max_length=50)
    team: uuid.UUID | Literal["mine"] | None = None


async def listed(
    session: AsyncSession, viewer: Viewer, query: FileQuery, *, kind: FileKind | None = None
) -> tuple[Sequence[FileRow], int]:
    """The files of one page, and the number of files on all pages."""
    which = wanted(viewer, query, kind)
    statement = select(*PAGE_COLUMNS).where(*which).order_by(*page_order(query.sort)).offset(query.offset)
    files = (await session.execute(statement.limit(query.size))).all()
    if len(files) < query.size and (files or query.page == 1):
        return files, query.offset + len(files)
    return files, await session.scalar(select(func.count()).select_from(File).where(*which)) or 0


def wanted(viewer: Viewer, query: FileQuery, kind: FileKind | None = None) -> list[ColumnElement[bool]]:
    """The conditions on the files of all pages."""
    which = [may_see(viewer, File)]
    if kind is not None:
        which.append(File.kind == kind)
    if query.status:
        which.append(File.status.in_(query.status))
    if query.q:
        which.append(contains_text(File.name, query.q))
    if query.language:
        which.append(File.language.in_(query.language))
    if query.tag:
        which.append(_tagged(query.tag))
    if query.team is not None:
        is_mine = query.team == MINE
        which.append(shared_with(viewer.user_id, None, File) if is_mine else File.team_id == query.team)
    return which


def _tagged(slugs: Sequence[str]) -> ColumnElement[bool]:
    tags = select(FileTag.file_id).where(FileTag.file_id == File.id)
    with_tag = exists(tags.join(Tag, Tag.id == FileTag.tag_id).where(Tag.slug.in_(slugs)))
    return or_(with_tag, ~exists(tags)) if UNTAGGED in slugs else with_tag


def page_order(sort: FileSort) -> Sequence[ColumnElement[Any]]:
    """Ties and files of unknown length are ordered by age. The id makes pages repeatable."""
    name = sort.removeprefix("-")
    column: ColumnElement[Any] = func.lower(File.name) if name == "name" else File.__table__.c[name]
    directed = column.desc() if sort.startswith("-") else column.asc()
    age: tuple[ColumnElement[Any], ...] = () if name == "created_at" else (File.created_at.desc(),)
    return (directed.nulls_last(), *age, File.__table__.c.id)
