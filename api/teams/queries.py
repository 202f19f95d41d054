"""Members of teams."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.teams.models import Membership, Team


async def teams_of(session: AsyncSession, user_id: uuid.UUID) -> Sequence[Team]:
    """A person's teams, including inactive ones, in the order they joined."""
    statement = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user_id)
        .order_by(Membership.created_at)
    )
    return (await session.scalars(statement)).all()


async def members_of(session: AsyncSession, team_id: uuid.UUID) -> Sequence[uuid.UUID]:
    """The members of a team, or nobody while it is inactive."""
    statement = (
        select(Membership.user_id)
        .join(Team, Team.id == Membership.team_id)
        .where(Membership.team_id == team_id, Team.is_active)
        .order_by(Membership.user_id)
    )
    return (await session.scalars(statement)).all()
