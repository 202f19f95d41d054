from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.teams.queries import teams_of
from api.users.models import User
from api.users.schemas import TeamOut, UserOut


async def describe(session: AsyncSession, user: User) -> UserOut:
    """The user as pages see them. There are no subscriptions yet, so everybody may use everything."""
    teams = await teams_of(session, user.id)
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
