"""A ledger in an empty database of each kind, with billing on."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from api.db.engine import Database
from api.db.migrate import upgrade
from api.testing.ledger import Ledger


@pytest.fixture
async def ledger(database_url: str) -> AsyncIterator[Ledger]:
    await upgrade(database_url)
    database = Database(database_url, billing=True)
    yield Ledger(database)
    await database.close()
