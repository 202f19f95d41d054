"""What pages need to know about plans and payments before anybody pays."""

from __future__ import annotations

from pydantic import BaseModel

from api.people.plans.tiers import CURRENCY, FOR_SALE, PLANS, PlanTier
from api.platform.settings import ApiSettings


class PlanOut(BaseModel):
    """Prices in cents. `price_minute` is that of one extra minute; `minutes` are included each month."""

    tier: PlanTier
    label: str
    price_monthly: int
    price_yearly: int
    price_minute: int
    minutes: int
    storage_bytes: int
    seats: int


class BillingConfig(BaseModel):
    """`publishable_key` is empty where the payment provider is not set up yet.

    `free_minutes` of sound come with a new account and last `free_days`; 0 where there are none.
    """

    publishable_key: str
    js_url: str
    currency: str
    plans: list[PlanOut]
    free_minutes: int
    free_days: int


def billing_config(settings: ApiSettings) -> BillingConfig | None:
    """None where people need no plan."""
    if not settings.billing:
        return None
    return BillingConfig(
        publishable_key=settings.stripe_publishable_key or "",
        js_url=settings.stripe_js_url,
        currency=CURRENCY,
        plans=[plan_out(tier) for tier in FOR_SALE],
        free_minutes=settings.free_minutes,
        free_days=settings.free_days,
    )


def plan_out(tier: PlanTier) -> PlanOut:
    plan = PLANS[tier]
    return PlanOut(
        tier=tier,
        label=plan.label,
        price_monthly=plan.price_monthly,
        price_yearly=plan.price_yearly,
        price_minute=plan.price_minute,
        minutes=plan.minutes,
        storage_bytes=plan.storage_bytes,
        seats=plan.seats,
    )
