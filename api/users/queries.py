from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.teams.models import Membership, Team
from api.users.models import User
from api.users.schemas import TeamOut, UserOut


async def describe(session: AsyncSession, user: User) -> UserOut:
    """The user as the page sees them. There are no plans yet, so everybody may use everything."""
    statement = (
        select(Team)
        .join(Membership, Membership.team_id == Team.id)
        .where(Membership.user_id == user.id)
        .order_by(Membership.created_at)
    )
    teams = (await session.scalars(statement)).all()
    return UserOut(
        id=user.id,
        name=user.name,
        email=user.email,
        teams=[TeamOut(id=team.id, name=team.name, is_active=team.is_active) for team in teams],
        has_subscription=True,
        has_team=any(team.is_active for team in teams),
        has_incomplete_payment=False,
        has_ended_subscription=False,
        is_admin=user.is_admin,
    )
