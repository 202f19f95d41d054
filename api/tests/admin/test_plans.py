"""SQLite finds what administrators list along the index that leaves the fewest rows, or along that of the order.

It says nothing when it reads a million rows instead; only its plan does.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select, select
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.edges.admin.contents.filters import ORDERS, filters_of
from api.edges.admin.contents.schemas import ContentQuery, ContentSort
from api.people.teams.models import Team
from api.people.users.models import User
from api.platform.db.engine import Database
from api.testing.databases.migrated import make_sqlite

ADDRESS, TEAM = "ada@example.com", "Newsroom"
FOUND_BY: list[tuple[str, dict[str, Any]]] = [
    ("ix_files_kind_status", {}),
    ("ix_files_kind_status", {"language": "is-IS"}),
    ("ix_files_kind_status", {"status": ["failed"], "kind": ["audio"]}),
    ("ix_files_name_order", {"q": "lecture"}),
    ("ix_files_name_order", {"q": "lecture", "team": TEAM, "status": ["failed"]}),
    ("ix_files_user_id_created_at", {"owner": ADDRESS}),
    ("ix_files_user_id_created_at", {"owner": ADDRESS, "q": "lecture", "in_bin": True}),
    ("ix_files_team_id", {"team": TEAM}),
    ("ix_files_team_id", {"team": TEAM, "failed_within_h": 24}),
    ("ix_files_failed", {"failed_within_h": 24}),
    ("ix_files_deleted_at", {"in_bin": True}),
    ("ix_files_deleted_at", {"in_bin": True, "status": ["failed"]}),
]
IN_ORDER = {
    ContentSort.NEWEST: "ix_files_created_at",
    ContentSort.OLDEST: "ix_files_created_at",
    ContentSort.NAME: "ix_files_name_order",
    ContentSort.LONGEST: "ix_files_duration_ms",
    ContentSort.LARGEST: "ix_files_size_bytes",
}


@pytest.fixture
async def session(tmp_path: Path) -> AsyncIterator[AsyncSession]:
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    make_sqlite(url)
    database = Database(url)
    async with database.write() as session:
        session.add_all([User(name="Ada", email=ADDRESS, password_hash="-"), Team(name=TEAM)])
    async with database.read() as session:
        yield session
    await database.close()


async def _plan(session: AsyncSession, statement: Select[*tuple[Any, ...]]) -> str:
    sql = str(statement.compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True}))
    connection = await session.connection()
    return " / ".join(str(row[-1]) for row in await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}"))


@pytest.mark.parametrize(("index", "chosen"), FOUND_BY)
async def test_files_are_found_along_the_index_that_leaves_the_fewest(
    session: AsyncSession, index: str, chosen: dict[str, Any]
) -> None:
    filters = await filters_of(session, ContentQuery(**chosen))
    plan = await _plan(session, filters.apply(select(File.id)))
    assert f"INDEX {index} " in plan
    assert "SCAN" not in plan


@pytest.mark.long
@pytest.mark.parametrize("sort", ContentSort)
@pytest.mark.parametrize("chosen", [{}, {"in_bin": True, "kind": ["audio"]}, {"owner": ADDRESS}])
async def test_many_files_are_walked_in_their_order(
    session: AsyncSession, sort: ContentSort, chosen: dict[str, Any]
) -> None:
    filters, order = await filters_of(session, ContentQuery(**chosen)), ORDERS[sort]
    walked = filters.apply_in_order(select(File.id)).order_by(*order.walked()).limit(50)
    if order.has_gaps:
        walked = walked.where(order.column.is_not(None))
    assert f"INDEX {IN_ORDER[sort]}" in await _plan(session, walked)


async def test_people_who_are_not_deleted_are_not_read_along_the_index_of_those_who_are(session: AsyncSession) -> None:
    for table in (User, Team, File):
        assert "deleted_at" not in await _plan(session, select(table.id).where(table.deleted_at.is_(None)))
        gone = select(table.id).where(table.deleted_at < datetime(2026, 1, 1, tzinfo=UTC))
        assert f"ix_{table.__tablename__}_deleted_at" in await _plan(session, gone)
