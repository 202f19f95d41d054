"""Whose plan pays, and the priority that it gives to jobs."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.queries import plan_of
from api.people.plans.tiers import PLANS
from api.people.teams.models import Team


async def payer_of(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> uuid.UUID:
    """The user who pays for work: of a team's things the team's payer, else the person whose things they are."""
    if team_id is None:
        return user_id
    payer_id = await session.scalar(select(Team.payer_id).where(Team.id == team_id))
    return payer_id or user_id


async def priority_of(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> int:
    """The priority of a new job, by the plan that pays for it. People without a plan are all equal."""
    return PLANS[await plan_of(session, await payer_of(session, user_id, team_id))].priority
