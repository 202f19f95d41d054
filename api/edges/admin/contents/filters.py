"""Which files an administrator's list has, so that a million of them are never read for one page."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, TypeVarTuple, cast

from sqlalchemy import ColumnElement, Select, func, literal, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileKind, FileStatus
from api.content.files.name_order import name_order
from api.edges.admin.contents.schemas import ContentQuery, ContentSort
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.expressions import unindexed
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

NO_OWNER = Message(
    "admin.no_owner", "No account has this address. Enter the whole address, or choose the person on the page Users."
)
NO_TEAM = Message("admin.no_team", "No team has this name. Enter the whole name.")
END_OF_NAMES = "\U0010ffff"
"""Sorts behind everything a name may begin with."""

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)

Condition = ColumnElement[bool]
Columns = TypeVarTuple("Columns")


@dataclass(frozen=True, slots=True)
class Filters:
    """The conditions of a list: those by whose index its rows are found, and the others."""

    indexed: Sequence[Condition]
    others: Sequence[Condition] = ()

    def apply(self, statement: Select[*Columns]) -> Select[*Columns]:
        """Restrict a statement that finds its rows by these conditions."""
        return statement.where(*self.indexed, *map(unindexed, self.others))

    def apply_in_order(self, statement: Select[*Columns]) -> Select[*Columns]:
        """Restrict a statement that walks the index of its order."""
        return statement.where(*map(unindexed, (*self.indexed, *self.others)))


async def filters_of(session: AsyncSession, query: ContentQuery) -> Filters:
    """Raises Invalid for an owner or team that does not exist."""
    # A range, because SQLite seeks no index for IS NOT NULL.
    in_bin = File.deleted_at >= EARLIEST if query.in_bin else File.deleted_at.is_(None)
    # The index is sought by each kind, and by each pair of kind and status where only the language is chosen.
    kinds: list[Condition] = [File.kind.in_(query.kind or tuple(FileKind))]
    if query.failed_within_h is None and (query.status or query.language):
        kinds.append(File.status.in_(query.status or tuple(FileStatus)))
    if query.language:
        kinds.append(File.language == query.language)
    # The one that leaves the fewest files comes first.
    narrowing: list[list[Condition]] = []
    if query.owner:
        narrowing.append([File.user_id == await _owner(session, query.owner)])
    if query.q:
        narrowing.append([await _named(session, query.q)])
    if query.team:
        narrowing.append([File.team_id.in_(await _teams(session, query.team))])
    if query.failed_within_h is not None:
        # In these words the databases recognise the index of failed files.
        failed = cast(Condition, text("files.status = 'failed'"))
        narrowing.append([failed, File.updated_at >= clock.now(-3600.0 * query.failed_within_h)])
    narrowing += [[in_bin], kinds] if query.in_bin else [[*kinds, in_bin]]
    indexed, *others = narrowing
    return Filters(indexed, list(chain.from_iterable(others)))


@dataclass(frozen=True, slots=True)
class Order:
    """A sort order, which an index yields. Files without a value come last."""

    column: ColumnElement[Any]
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
    ContentSort.NEWEST: Order(File.created_at.expression, is_descending=True),
    ContentSort.OLDEST: Order(File.created_at.expression),
    ContentSort.NAME: Order(name_order(File.name)),
    ContentSort.LONGEST: Order(File.duration_ms.expression, is_descending=True, has_gaps=True),
    ContentSort.LARGEST: Order(File.size_bytes.expression, is_descending=True, has_gaps=True),
}


async def _named(session: AsyncSession, beginning: str) -> Condition:
    """The file with this id or slug; without one, those whose names begin so."""
    if (file_id := await _file(session, beginning)) is not None:
        return File.id == file_id
    start = func.lower(literal(beginning))
    return name_order(File.name).between(start, start + END_OF_NAMES)


async def _file(session: AsyncSession, key: str) -> uuid.UUID | None:
    """The file with this id or slug."""
    match = File.slug == key
    if (file_id := _uuid(key)) is not None:
        match = File.id == file_id
    return await session.scalar(select(File.id).where(match))


async def _owner(session: AsyncSession, key: str) -> uuid.UUID:
    match = User.email == key.lower()
    if (user_id := _uuid(key)) is not None:
        match = User.id == user_id
    found = await session.scalar(select(User.id).where(match))
    if found is None:
        raise Invalid.field("owner", NO_OWNER)
    return found


async def _teams(session: AsyncSession, key: str) -> Sequence[uuid.UUID]:
    match = func.lower(Team.name) == key.lower()
    if (team_id := _uuid(key)) is not None:
        match = or_(match, Team.id == team_id)
    found = (await session.scalars(select(Team.id).where(match))).all()
    if not found:
        raise Invalid.field("team", NO_TEAM)
    return found


def _uuid(key: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(key)
    except ValueError:
        return None
