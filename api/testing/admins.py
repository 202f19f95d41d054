"""Make somebody an administrator."""

from __future__ import annotations

import uuid

from api.people.users.models import User
from api.platform.http.state import AppState


async def promote(state: AppState, user_id: uuid.UUID) -> None:
    async with state.database.write() as session:
        (await session.get_one(User, user_id)).is_admin = True
