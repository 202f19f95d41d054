"""A ledger in a database of each kind, and a web process, both with billing on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.ledger import Ledger


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
