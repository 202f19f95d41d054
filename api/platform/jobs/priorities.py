"""The priority of jobs; `fairness.py` says what it does."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.payer import payer_of
from api.people.plans.queries import plan_of
from api.people.plans.tiers import PLANS


async def priority_of(session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID | None) -> int:
    """The priority of a new job, by the plan that pays for it. People without a plan are all equal."""
    return PLANS[await plan_of(session, await payer_of(session, user_id, team_id))].priority
