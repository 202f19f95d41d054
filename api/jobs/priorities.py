"""The priority of each plan; `fairness.py` says what it does."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.users.plans import PlanTier, plan_of

PRIORITY: dict[PlanTier, int] = {
    PlanTier.NONE: 0,
    PlanTier.PERSONAL: 0,
    PlanTier.CREATOR: 1,
    PlanTier.PRODUCER: 1,
    PlanTier.BROADCASTER: 2,
    PlanTier.BUSINESS: 2,
    PlanTier.CORPORATE: 3,
    PlanTier.ENTERPRISE: 3,
}


async def priority_of(session: AsyncSession, user_id: uuid.UUID) -> int:
    """The priority of a new job of this user. Users without a plan are all equal."""
    return PRIORITY[await plan_of(session, user_id)]
