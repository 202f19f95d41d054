"""A ledger in a database of each kind, and a web process, both with billing on."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import update

from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser, SignUp
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


@pytest.fixture
async def customer(sign_up: SignUp, state: AppState) -> Browser:
    """A browser whose address is verified, as billing demands."""
    browser = await sign_up(f"ada{uuid.uuid4().hex[:8]}")
    async with state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=User.created_at))
    return browser
