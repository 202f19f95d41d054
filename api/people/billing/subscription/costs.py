"""What an order would cost this moment, as Stripe itself computes it, and the promise that pages make with it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from api.people.billing.account.snapshot import ReadSubscription
from api.people.billing.discounts.coupons import FoundCoupon
from api.people.billing.errors import AmountChanged
from api.people.billing.payments import Billing
from api.people.billing.stripe.gateway import stripe_errors
from api.people.billing.stripe.prices import Offer
from api.platform.db.base import utc_now

if TYPE_CHECKING:
    import stripe

STANDS_FOR = timedelta(hours=1)
"""So long the amount of an upgrade holds: Stripe computes it to the second, from the moment it was shown."""
CLOCKS_DIFFER = timedelta(minutes=5)


async def bill_of_new(billing: Billing, customer: str, wanted: Offer, coupon: FoundCoupon | None) -> stripe.Invoice:
    """The first invoice of a new subscription."""
    params: stripe.params.InvoiceCreatePreviewParams = {
        "customer": customer,
        "subscription_details": {
            "items": [{"price": await billing.prices.id_of(wanted), "quantity": 1}],
            "billing_mode": {"type": "flexible", "flexible": {"proration_discounts": "itemized"}},
        },
    }
    if coupon is not None:
        params["discounts"] = [coupon.discount()]
    with stripe_errors():
        return await billing.gateway.v1.invoices.create_preview_async(params)


async def bill_of_upgrade(
    billing: Billing, current: ReadSubscription, wanted: Offer, as_of: datetime | None = None
) -> stripe.Invoice:
    """The invoice of an upgrade at `as_of`, or now."""
    price = await billing.prices.id_of(wanted)
    details: stripe.params.InvoiceCreatePreviewParamsSubscriptionDetails = {
        "items": [{"id": current.item_id, "price": price}],
        "proration_behavior": "always_invoice",
    }
    if as_of is not None:
        details["proration_date"] = int(as_of.timestamp())
    with stripe_errors():
        return await billing.gateway.v1.invoices.create_preview_async(
            {"subscription": current.stripe_id, "subscription_details": details}
        )


def check_due(due: int | None, bill: stripe.Invoice) -> None:
    """Raise `AmountChanged` unless the invoice takes what the page showed. None: the page showed nothing."""
    if due is not None and due != max(0, bill.amount_due):
        raise AmountChanged


def check_moment(current: ReadSubscription, as_of: datetime | None) -> None:
    """Raise `AmountChanged` for an amount that was computed too long ago, in another period, or for a time to come."""
    if as_of is None:
        return
    age = utc_now() - as_of
    if as_of < current.period_start or not -CLOCKS_DIFFER <= age <= STANDS_FOR:
        raise AmountChanged
