"""Whose pages get the events of something that people own."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.owned import Owned
from api.people.users import teams
from api.platform.realtime.messages import PollingMessage
from api.platform.realtime.notices import Audience, Notice


async def audience_of(session: AsyncSession, owned: Owned) -> Audience:
    """Everybody who may see it: the owner, or the members of the team it belongs to."""
    if owned.team_id is None:
        return Audience((owned.user_id,))
    return await audience_of_team(session, owned.team_id)


async def audience_of_team(session: AsyncSession, team_id: uuid.UUID) -> Audience:
    return Audience(tuple(await teams.members_of(session, team_id)), team_id)


async def notice_of(session: AsyncSession, owned: Owned, message: PollingMessage) -> Notice:
    """The notice of an event about a file or an upload, to everybody who may see it."""
    return Notice(await audience_of(session, owned), message)


async def members_now(session: AsyncSession, team_ids: Collection[uuid.UUID]) -> frozenset[tuple[uuid.UUID, uuid.UUID]]:
    """Who is in which of these teams now, as pairs of team and person. Messages may have waited since their audience
    was determined."""
    return await teams.membership_pairs(session, team_ids)
