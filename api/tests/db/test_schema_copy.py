"""What a migration leaves behind for the way back, and what it refuses."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from api.platform.db import schema_copy
from api.platform.db.engine import make_engine
from api.platform.db.migrate import UnfitDatabase, newest_schema, upgrade
from api.platform.db.schema_copy import COPIES, copy_before_change, copy_of
from api.testing.databases.postgres import new_database
from cluster.testing.patience import PATIENCE_S

OLD = "0044"


@pytest.fixture
async def old(tmp_path: Path) -> Path:
    """A SQLite database of a former version, with a row that a person would miss."""
    path = tmp_path / "sagascript.db"
    await upgrade(f"sqlite+aiosqlite:///{path}", OLD)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE keepsake (word TEXT)")
        database.execute("INSERT INTO keepsake VALUES ('here before')")
        database.commit()
    return path


async def test_a_migration_copies_what_was_there_before(old: Path) -> None:
    await upgrade(f"sqlite+aiosqlite:///{old}")
    copy = copy_of(old, OLD)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (OLD,)
        assert database.execute("SELECT word FROM keepsake").fetchone() == ("here before",)
    with closing(sqlite3.connect(old)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (newest_schema(),)
        assert database.execute("SELECT word FROM keepsake").fetchone() == ("here before",)
    # The newest schema needs no copy, and an empty database none either.
    await upgrade(f"sqlite+aiosqlite:///{old}")
    await upgrade(f"sqlite+aiosqlite:///{old.with_name('new.db')}")
    assert sorted(path.name for path in old.parent.iterdir() if ".schema-" in path.name) == [copy.name]


@pytest.mark.long
async def test_the_newest_copies_stay(old: Path) -> None:
    for number in range(COPIES + 2):
        os.utime(copy_before_change(old, f"{number:04}"), (number, number))
    assert sorted(path.name[-4:] for path in old.parent.glob("*.schema-*")) == ["0002", "0003", "0004"]


@pytest.mark.long
async def test_without_a_copy_nothing_changes(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_copy, "copy_of", lambda database, revision: database / "no such folder")
    with pytest.raises(NotADirectoryError):
        await upgrade(f"sqlite+aiosqlite:///{old}")
    with closing(sqlite3.connect(old)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (OLD,)


async def test_a_database_of_a_newer_version_is_refused(database_url: str) -> None:
    engine = make_engine(database_url)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9998'"))
    with pytest.raises(UnfitDatabase) as refused:
        await upgrade(database_url)
    assert "has schema 9998" in str(refused.value)
    assert "restore a backup" in str(refused.value)
    async with engine.connect() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "9998"
    await engine.dispose()


async def test_a_database_without_unicode_is_refused(postgres_server: str) -> None:
    options = "TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
    refused = pytest.raises(UnfitDatabase, match="keeps texts as SQL_ASCII")
    with new_database(postgres_server, options) as url, refused:
        await upgrade(url)


@pytest.mark.long
@pytest.mark.parametrize("command", [["migrate"], ["admin", "list"], ["up", "--offline"]])
async def test_commands_say_so_in_a_sentence(old: Path, command: list[str]) -> None:
    with closing(sqlite3.connect(old)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9998'")
        database.commit()
    ended = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "api.main", *command],
        capture_output=True,
        text=True,
        env={**os.environ, "SAGASCRIPT_DATA_DIR": str(old.parent), "SAGASCRIPT_PORT": "0"},
        timeout=PATIENCE_S,
    )
    assert ended.returncode == 1
    assert "newer version wrote it" in " ".join((ended.stdout + ended.stderr).split())
    assert "Traceback" not in ended.stdout + ended.stderr
