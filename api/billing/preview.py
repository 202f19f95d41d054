"""What a subscription or a change will cost, from Stripe itself."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from api.billing.changing import check_change, is_immediate
from api.billing.coupons import find_coupon
from api.billing.customers import customer_of
from api.billing.gateway import stripe_errors
from api.billing.payments import Billing
from api.billing.prices import Offer
from api.billing.reading import current_of, read_account
from api.billing.schemas import PreviewLine, PreviewOut
from api.billing.snapshot import ReadSubscription
from api.billing.subscribing import offer_of
from api.plans.models import COUNTING

if TYPE_CHECKING:
    import stripe


async def preview(
    billing: Billing, user_id: uuid.UUID, tier: str, period: str, coupon: str | None = None
) -> PreviewOut:
    """The next invoice, if the person subscribed or changed now."""
    wanted = offer_of(tier, period)
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    if current is None or current.status not in COUNTING:
        return await _of_new(billing, user_id, wanted, coupon)
    check_change(current, wanted)
    if not is_immediate(current.offer, wanted):
        return PreviewOut(
            tier=wanted.tier,
            period=wanted.period,
            is_immediate=False,
            at=current.period_end,
            due_now=0,
            discount=0,
            price=wanted.amount,
            lines=[],
        )
    return await _of_upgrade(billing, current, wanted)


async def _of_new(billing: Billing, user_id: uuid.UUID, wanted: Offer, coupon: str | None) -> PreviewOut:
    found = await find_coupon(billing.gateway, coupon) if coupon else None
    params: stripe.params.InvoiceCreatePreviewParams = {
        "customer": await customer_of(billing, user_id),
        "subscription_details": {
            "items": [{"price": await billing.prices.id_of(wanted), "quantity": 1}],
            "billing_mode": {"type": "flexible", "flexible": {"proration_discounts": "itemized"}},
        },
    }
    if found is not None:
        params["discounts"] = [found.discount()]
    with stripe_errors():
        bill = await billing.gateway.v1.invoices.create_preview_async(params)
    return _out(bill, wanted)


async def _of_upgrade(billing: Billing, current: ReadSubscription, wanted: Offer) -> PreviewOut:
    price = await billing.prices.id_of(wanted)
    with stripe_errors():
        bill = await billing.gateway.v1.invoices.create_preview_async(
            {
                "subscription": current.stripe_id,
                "subscription_details": {
                    "items": [{"id": current.item_id, "price": price}],
                    "proration_behavior": "always_invoice",
                },
            }
        )
    return _out(bill, wanted)


def _out(bill: stripe.Invoice, wanted: Offer) -> PreviewOut:
    return PreviewOut(
        tier=wanted.tier,
        period=wanted.period,
        is_immediate=True,
        at=None,
        due_now=max(0, bill.amount_due),
        discount=sum(each.amount for each in bill.total_discount_amounts or []),
        price=wanted.amount,
        lines=[PreviewLine(text=line.description or "", amount=line.amount) for line in bill.lines.data],
    )
