"""Whose pages get the events of something that people own."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.access.owned import Owned
from api.teams import queries as teams


@dataclass(frozen=True, slots=True)
class Audience:
    """People, each of whom has a private channel."""

    user_ids: tuple[uuid.UUID, ...]


async def audience_of(session: AsyncSession, owned: Owned) -> Audience:
    """The owner and, when it belongs to a team, the team's members: everybody who may see it."""
    if owned.team_id is None:
        return Audience((owned.user_id,))
    members = await teams.members_of(session, owned.team_id)
    return Audience((owned.user_id, *(member for member in members if member != owned.user_id)))
