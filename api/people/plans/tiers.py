"""The plan tiers: what each costs and what it includes. The one place where these numbers stand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cluster.sizes import GB

CURRENCY = "usd"


class PlanTier(StrEnum):
    """`corporate` is the label of customers with a contract, `none` of people without a plan. Neither can be bought."""

    CREATOR = "creator"
    PRODUCER = "producer"
    BROADCASTER = "broadcaster"
    PERSONAL = "personal"
    BUSINESS = "business"
    ENTERPRISE = "enterprise"
    CORPORATE = "corporate"
    NONE = "none"


class BillingPeriod(StrEnum):
    MONTHLY = "monthly"
    YEARLY = "yearly"


@dataclass(frozen=True, slots=True)
class Plan:
    """Prices are in cents of `CURRENCY`. `price_minute` is that of one extra minute of sound.

    `minutes` of sound are included each month, also where the plan is paid by the year. `storage_bytes` and `seats`
    (people over all teams that the customer pays for) are limits at any one time. Jobs of a higher `priority` get a
    larger share of the machine (`api/platform/jobs/order/fairness.py`).
    """

    label: str
    price_monthly: int = 0
    price_yearly: int = 0
    price_minute: int = 0
    minutes: int = 0
    storage_bytes: int = 0
    seats: int = 1
    priority: int = 0

    def price(self, period: BillingPeriod) -> int:
        return self.price_monthly if period is BillingPeriod.MONTHLY else self.price_yearly


PLANS: dict[PlanTier, Plan] = {
    PlanTier.PERSONAL: Plan("Personal", 900, 9_000, 10, minutes=300, storage_bytes=20 * GB),
    PlanTier.CREATOR: Plan("Creator", 1_900, 19_000, 8, minutes=900, storage_bytes=100 * GB, priority=1),
    PlanTier.PRODUCER: Plan("Producer", 4_900, 49_000, 6, minutes=3_000, storage_bytes=300 * GB, seats=3, priority=1),
    PlanTier.BUSINESS: Plan("Business", 9_900, 99_000, 5, minutes=6_000, storage_bytes=500 * GB, seats=10, priority=2),
    PlanTier.BROADCASTER: Plan(
        "Broadcaster", 19_900, 199_000, 4, minutes=15_000, storage_bytes=1_500 * GB, seats=20, priority=2
    ),
    PlanTier.ENTERPRISE: Plan(
        "Enterprise", 49_900, 499_000, 3, minutes=45_000, storage_bytes=5_000 * GB, seats=100, priority=3
    ),
    PlanTier.CORPORATE: Plan("Corporate", priority=3),
    PlanTier.NONE: Plan("None"),
}
"""In the order in which pages offer them. A contract replaces the numbers of `corporate` with its own."""

FREE_STORAGE_BYTES = 5 * GB
"""Room for the files of somebody who tries the product with free minutes."""

FOR_SALE = tuple(tier for tier, plan in PLANS.items() if plan.price_monthly > 0)
