"""What people read when a database is full or damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError, IntegrityError

from api.platform.db.engine import Database
from api.platform.db.failures import DAMAGED, DISK_FULL, reason
from api.platform.http.errors import Damaged, NoRoom, as_api_error

SCOPE = {"path": "/api/tags"}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_full_disk_is_a_507_that_says_so(database: Database) -> None:
    async with database.engine.connect() as connection:
        await connection.execute(text("PRAGMA max_page_count=1"))
        with pytest.raises(DatabaseError) as full:
            await connection.execute(text("CREATE TABLE heap (value TEXT)"))
    assert (type(as_api_error(full.value, SCOPE)), reason(full.value)) == (NoRoom, DISK_FULL)


@pytest.mark.parametrize("damage", [b"not a database", b"SQLite format 3\x00" + b"\xff" * 4_000])
async def test_a_damaged_database_is_called_so(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "broken.db"
    file.write_bytes(damage * 3)
    database = Database(f"sqlite+aiosqlite:///{file}")
    with pytest.raises(DatabaseError) as broken:
        async with database.read() as session:
            await session.execute(text("SELECT * FROM users"))
    await database.close()
    assert (type(as_api_error(broken.value, SCOPE)), reason(broken.value)) == (Damaged, DAMAGED)


async def test_a_defect_of_ours_stays_one(database: Database) -> None:
    async with database.read() as session:
        with pytest.raises(IntegrityError) as refused:
            await session.execute(text("INSERT INTO users (id) VALUES (NULL)"))
    with pytest.raises(IntegrityError):
        as_api_error(refused.value, SCOPE)
    assert "SQL" not in reason(refused.value).replace("sqlite", "")
