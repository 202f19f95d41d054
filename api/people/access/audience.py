"""Whose pages get the events of something that people own."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import Owned
from api.people.users import teams


@dataclass(frozen=True, slots=True)
class Audience:
    """People, each of whom has a private channel. With `team_id`, only as long as they are members of that team."""

    user_ids: tuple[uuid.UUID, ...]
    team_id: uuid.UUID | None = None


async def audience_of(session: AsyncSession, owned: Owned) -> Audience:
    """Everybody who may see it: the owner, or the members of the team it belongs to."""
    if owned.team_id is None:
        return Audience((owned.user_id,))
    return await audience_of_team(session, owned.team_id)


async def audience_of_team(session: AsyncSession, team_id: uuid.UUID) -> Audience:
    return Audience(tuple(await teams.members_of(session, team_id)), team_id)


async def members_now(session: AsyncSession, team_ids: Collection[uuid.UUID]) -> frozenset[tuple[uuid.UUID, uuid.UUID]]:
    """Who is in which of these teams now, as pairs of team and person. Messages may have waited since their audience
    was determined."""
    return await teams.membership_pairs(session, team_ids)
