"""Which files an administrator's list has, so that a million of them are never read for one page."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVarTuple

from sqlalchemy import Boolean, ColumnElement, Select, func, literal, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileKind, FileStatus
from api.content.files.name_order import name_order
from api.edges.admin.contents.schemas import ContentQuery, ContentSort
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

NO_OWNER = Message(
    "admin.no_owner", "No account has this address. Enter the whole address, or choose the person on the page Users."
)
NO_TEAM = Message("admin.no_team", "No team has this name. Enter the whole name.")
END_OF_NAMES = "\U0010ffff"
"""Sorts behind everything a name may begin with."""

Condition = ColumnElement[bool]
Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions of a list. `index` is the one that finds its rows, None where the database chooses."""

    conditions: Sequence[Condition]
    index: str | None

    def apply(self, statement: Select[*Columns]) -> Select[*Columns]:
        """Restrict a statement. SQLite has no statistics and would choose the index of `deleted_at`: everything."""
        statement = statement.where(*self.conditions)
        return statement.with_hint(File, f"INDEXED BY {self.index}", "sqlite") if self.index else statement


async def filters_of(session: AsyncSession, query: ContentQuery) -> Filters:
    """Raises Invalid for an owner or team that does not exist."""
    in_bin = File.deleted_at.is_not(None) if query.in_bin else File.deleted_at.is_(None)
    # The index is sought by each kind, and by each pair of kind and status where only the language is chosen.
    conditions: list[Condition] = [in_bin, File.kind.in_(query.kind or tuple(FileKind))]
    index: str | None = "ix_files_deleted_at" if query.in_bin else "ix_files_kind_status"
    statuses = query.status
    if query.failed_within_h is not None:
        # In these words the databases recognise the index of failed files.
        conditions.append(literal_column("files.status = 'failed'", Boolean()))
        conditions.append(File.updated_at >= clock.now(-3600.0 * query.failed_within_h))
        index = "ix_files_failed"
    elif statuses or query.language:
        conditions.append(File.status.in_(statuses or tuple(FileStatus)))
    if query.language:
        conditions.append(File.language == query.language)
    if query.team:
        conditions.append(File.team_id.in_(await _teams(session, query.team)))
        index = "ix_files_team_id"
    if query.owner:
        conditions.append(File.user_id == await _owner(session, query.owner))
        index = "ix_files_user_id_created_at"
    if query.q and (file_id := await _file(session, query.q)) is not None:
        return Filters([*conditions, File.id == file_id], None)
    if query.q:
        start = func.lower(literal(query.q))
        conditions.append(name_order(File.name).between(start, start + END_OF_NAMES))
        index = index if query.owner else "ix_files_name_order"
    return Filters(conditions, index)


@dataclass(frozen=True, slots=True)
class Order:
    """A sort order, and the index that yields it. Files without a value come last."""

    column: ColumnElement[Any]
    index: str
    is_descending: bool = False
    has_gaps: bool = False
    """Whether the column may be null. PostgreSQL's indexes have nulls at the other end."""

    def walked(self) -> Sequence[ColumnElement[Any]]:
        """The id makes pages repeatable."""
        return [self._directed(self.column), self._directed(File.id.expression)]

    def sorted(self, column: ColumnElement[Any], file_id: ColumnElement[Any]) -> Sequence[ColumnElement[Any]]:
        """The order by these columns of a subquery."""
        directed = self._directed(column)
        return [directed.nulls_last() if self.has_gaps else directed, self._directed(file_id)]

    def _directed(self, column: ColumnElement[Any]) -> ColumnElement[Any]:
        return column.desc() if self.is_descending else column.asc()


ORDERS = {
    ContentSort.NEWEST: Order(File.created_at.expression, "ix_files_created_at", is_descending=True),
    ContentSort.OLDEST: Order(File.created_at.expression, "ix_files_created_at"),
    ContentSort.NAME: Order(name_order(File.name), "ix_files_name_order"),
    ContentSort.LONGEST: Order(File.duration_ms.expression, "ix_files_duration_ms", is_descending=True, has_gaps=True),
    ContentSort.LARGEST: Order(File.size_bytes.expression, "ix_files_size_bytes", is_descending=True, has_gaps=True),
}


async def _file(session: AsyncSession, text: str) -> uuid.UUID | None:
    """The file with this id or slug."""
    match = File.slug == text
    if (file_id := _uuid(text)) is not None:
        match = File.id == file_id
    return await session.scalar(select(File.id).where(match))


async def _owner(session: AsyncSession, text: str) -> uuid.UUID:
    match = User.email == text.lower()
    if (user_id := _uuid(text)) is not None:
        match = User.id == user_id
    found = await session.scalar(select(User.id).where(match))
    if found is None:
        raise Invalid.field("owner", NO_OWNER)
    return found


async def _teams(session: AsyncSession, text: str) -> Sequence[uuid.UUID]:
    match = func.lower(Team.name) == text.lower()
    if (team_id := _uuid(text)) is not None:
        match = or_(match, Team.id == team_id)
    found = (await session.scalars(select(Team.id).where(match))).all()
    if not found:
        raise Invalid.field("team", NO_TEAM)
    return found


def _uuid(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
