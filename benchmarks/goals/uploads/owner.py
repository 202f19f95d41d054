"""A user and upload tokens, written directly to the database of the measured installation."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator

from api.content.uploads import tokens
from api.people.auth.viewer import Viewer
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.settings import ApiSettings

SECRET = "a secret of the benchmark"


def upload_tokens(settings: ApiSettings, count: int) -> Iterator[str]:
    """Create a database with one user and return `count` of their tokens."""
    return iter(asyncio.run(_make(settings, count)))


async def _make(settings: ApiSettings, count: int) -> list[str]:
    await upgrade(settings.db_url)
    database = Database(settings.db_url)
    user = User(id=uuid.uuid4(), name="Ada", email="ada@example.com", password_hash="-")
    viewer = Viewer(user_id=user.id, is_admin=False, team_id=None)
    async with database.write() as session:
        session.add(user)
        await session.flush()
        issued = [(await tokens.issue(session, viewer))[0] for _ in range(count)]
    await database.close()
    return issued
