"""The priority of a person's jobs; `fairness.py` says what it does."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.plans.queries import plan_of
from api.plans.tiers import PLANS


async def priority_of(session: AsyncSession, user_id: uuid.UUID) -> int:
    """The priority of a new job of this user. Users without a plan are all equal."""
    return PLANS[await plan_of(session, user_id)].priority
