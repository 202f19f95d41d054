"""The seats that a team takes of its payer's plan: members, and people with an open invitation."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.membership.models import Invitation
from api.people.plans.seats import check_seats
from api.people.teams.models import Team
from api.people.users.models import User
from api.people.users.teams import people_paid_for
from api.platform.db import clock


async def check_invited(session: AsyncSession, payer_id: uuid.UUID | None, email: str) -> None:
    """Raise `SeatsExceeded` when an invited address does not fit beside the members and the others invited."""
    if payer_id is None:
        return
    seated = await people_paid_for(session, payer_id)
    statement = (
        select(Invitation.email)
        .distinct()
        .join(Team, Team.id == Invitation.team_id)
        .outerjoin(User, User.email == Invitation.email)
        .where(
            Team.payer_id == payer_id,
            Team.deleted_at.is_(None),
            Invitation.accepted_at.is_(None),
            Invitation.expires_at > clock.now(),
            User.id.is_(None) | User.id.not_in(seated),
        )
    )
    invited = set(await session.scalars(statement))
    await check_seats(session, payer_id, more=int(email in invited), invited=len(invited - {email}))


async def check_joining(session: AsyncSession, payer_id: uuid.UUID | None, *user_ids: uuid.UUID) -> None:
    """Raise `SeatsExceeded` when these people do not fit the payer's plan. Those who have a seat need no other."""
    if payer_id is not None:
        await check_seats(session, payer_id, len(set(user_ids) - await people_paid_for(session, payer_id)))
