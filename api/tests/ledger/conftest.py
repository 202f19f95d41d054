"""A ledger in a database of each kind, and a web process, both with billing on.

Migrating takes a second, so each kind is migrated once and copied for each test.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest

from api.db.engine import Database
from api.db.migrate import upgrade_now
from api.http.state import AppState
from api.settings import ApiSettings
from api.testing.ledger import Ledger


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "empty.db"
    upgrade_now(f"sqlite+aiosqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> str:
    """The name of a migrated, empty database."""
    name = f"t{uuid.uuid4().hex}"
    _run(postgres_server, f'CREATE DATABASE "{name}"')
    upgrade_now(f"postgresql+psycopg{postgres_server.removeprefix('postgresql')}{name}")
    return name


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a migrated database of each kind."""
    if request.param == "sqlite":
        path = tmp_path / "test.db"
        shutil.copyfile(request.getfixturevalue("migrated_sqlite"), path)
        yield f"sqlite+aiosqlite:///{path}"
        return
    server, template = request.getfixturevalue("postgres_server"), request.getfixturevalue("migrated_postgres")
    name = f"t{uuid.uuid4().hex}"
    _run(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    yield f"postgresql+psycopg{server.removeprefix('postgresql')}{name}"
    _run(server, f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
async def ledger(database_url: str) -> AsyncIterator[Ledger]:
    database = Database(database_url, billing=True)
    yield Ledger(database)
    await database.close()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> ApiSettings:
    return ApiSettings(data_dir=tmp_path / "data", database_url=database_url, ui_dir=tmp_path / "ui", billing=True)


@pytest.fixture
def shop(state: AppState) -> Ledger:
    """The ledger of the web process `app`."""
    return Ledger(state.database)


def _run(server: str, statement: str) -> None:
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(statement)  # pyright: ignore[reportArgumentType]
