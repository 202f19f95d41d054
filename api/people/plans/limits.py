"""What a payer's plan or contract allows."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.enforcement import is_enforced
from api.people.plans.models import COUNTING
from api.people.plans.queries import contract_of, payers_with_free_minutes, subscription_of
from api.people.plans.tiers import FREE_STORAGE_BYTES, PLANS, PlanTier


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """None means no limit. `storage` is in bytes, `price_minute` in cents for one extra minute of sound.

    A price of 0 means that extra minutes are not for sale.
    """

    tier: PlanTier
    seconds_per_month: int | None
    storage: int | None
    seats: int | None
    price_minute: int
    priority: int

    @property
    def label(self) -> str:
        return PLANS[self.tier].label


async def limits_of(session: AsyncSession, payer_id: uuid.UUID) -> PlanLimits:
    """The limits of a payer. A contract replaces a plan's numbers; with billing off there are no limits."""
    contract = await contract_of(session, payer_id)
    if contract is not None:
        tier, priority = PlanTier.CORPORATE, PLANS[PlanTier.CORPORATE].priority
        limits = PlanLimits(
            tier, contract.max_seconds, contract.max_space, contract.max_users, contract.price_minutes, priority
        )
    else:
        subscription = await subscription_of(session, payer_id)
        counts = subscription is not None and subscription.status in COUNTING
        tier = PlanTier(subscription.tier) if subscription is not None and counts else PlanTier.NONE
        plan = PLANS[tier]
        storage = plan.storage_bytes
        if tier is PlanTier.NONE and await payers_with_free_minutes(session, [payer_id]):
            storage = FREE_STORAGE_BYTES
        limits = PlanLimits(tier, plan.minutes * 60, storage, plan.seats, plan.price_minute, plan.priority)
    return limits if is_enforced(session) else PlanLimits(limits.tier, None, None, None, 0, limits.priority)
