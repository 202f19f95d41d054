"""The plan tiers, and the one a person has."""

from __future__ import annotations

import uuid
from enum import StrEnum

from sqlalchemy.ext.asyncio import AsyncSession


class PlanTier(StrEnum):
    CREATOR = "creator"
    PRODUCER = "producer"
    BROADCASTER = "broadcaster"
    PERSONAL = "personal"
    BUSINESS = "business"
    ENTERPRISE = "enterprise"
    CORPORATE = "corporate"
    NONE = "none"


async def plan_of(session: AsyncSession, user_id: uuid.UUID) -> PlanTier:
    """The plan that pays for a person's work. There are no subscriptions yet, so nobody has one."""
    return PlanTier.NONE
