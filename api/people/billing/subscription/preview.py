"""What a subscription or a change will cost, from Stripe itself."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from api.people.billing.account.customers import customer_of
from api.people.billing.account.reading import current_of, due_invoice, read_account
from api.people.billing.account.snapshot import ReadSubscription, Snapshot, read_line
from api.people.billing.discounts.coupons import find_coupon
from api.people.billing.discounts.discount import Discount, cost_at, until_of
from api.people.billing.grants.minutes import months_before, months_of
from api.people.billing.payments import Billing
from api.people.billing.schemas import InvoiceLine, PreviewLine, PreviewOut
from api.people.billing.stripe.prices import Offer
from api.people.billing.subscription.changing import check_change, is_immediate
from api.people.billing.subscription.costs import bill_of_new, bill_of_upgrade
from api.people.billing.subscription.subscribing import offer_of
from api.people.plans.models import COUNTING
from api.people.plans.tiers import BillingPeriod

if TYPE_CHECKING:
    import stripe


async def preview(
    billing: Billing, user_id: uuid.UUID, tier: str, period: str, coupon: str | None = None
) -> PreviewOut:
    """The next invoice, if the person subscribed or changed now."""
    wanted = offer_of(tier, period)
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    if snapshot is None or current is None or current.status not in COUNTING:
        return await _of_new(billing, user_id, wanted, coupon)
    check_change(current, wanted)
    if current.pending == wanted:
        return _of_pending(snapshot, current, wanted)
    if not is_immediate(current.offer, wanted):
        return PreviewOut(
            tier=wanted.tier,
            period=wanted.period,
            is_immediate=False,
            at=current.period_end,
            as_of=None,
            due_now=0,
            discount=0,
            price=wanted.amount,
            next_amount=cost_at(wanted.amount, current.discounts, current.period_end),
            discount_until=until_of(current.discounts, current.period_end),
            seconds=0,
            lines=[],
        )
    bill = await bill_of_upgrade(billing, current, wanted)
    return await _out(billing, bill, wanted, current.period_end, current.discounts, as_of=_begin(bill))


async def _of_new(billing: Billing, user_id: uuid.UUID, wanted: Offer, coupon: str | None) -> PreviewOut:
    found = await find_coupon(billing.gateway, coupon) if coupon else None
    bill = await bill_of_new(billing, await customer_of(billing, user_id), wanted, found)
    start = _begin(bill)
    end = months_before(start, -1 if wanted.period is BillingPeriod.MONTHLY else -12)
    return await _out(billing, bill, wanted, end, (found.from_now(start),) if found is not None else ())


def _of_pending(snapshot: Snapshot, current: ReadSubscription, wanted: Offer) -> PreviewOut:
    """An upgrade that is ordered already, and not paid: the invoice stands."""
    due = due_invoice(snapshot, current)
    lines = list(due.lines) if due is not None else []
    return _shown(
        wanted,
        lines,
        due_now=due.amount_due if due is not None else 0,
        discount=sum(line.amount for line in lines) - due.total if due is not None else 0,
        next_at=current.period_end,
        discounts=current.discounts,
    )


async def _out(
    billing: Billing,
    bill: stripe.Invoice,
    wanted: Offer,
    next_at: datetime,
    discounts: Sequence[Discount],
    as_of: datetime | None = None,
) -> PreviewOut:
    return _shown(
        wanted,
        [await read_line(billing.prices, line) for line in bill.lines.data],
        due_now=max(0, bill.amount_due),
        discount=sum(each.amount for each in bill.total_discount_amounts or []),
        next_at=next_at,
        discounts=discounts,
        as_of=as_of,
    )


def _shown(
    wanted: Offer,
    lines: list[InvoiceLine],
    *,
    due_now: int,
    discount: int,
    next_at: datetime,
    discounts: Sequence[Discount],
    as_of: datetime | None = None,
) -> PreviewOut:
    months = months_of(lines)
    return PreviewOut(
        tier=wanted.tier,
        period=wanted.period,
        is_immediate=True,
        at=None,
        as_of=as_of,
        due_now=due_now,
        discount=discount,
        price=wanted.amount,
        next_amount=cost_at(wanted.amount, discounts, next_at),
        discount_until=until_of(discounts, next_at),
        seconds=months[0].seconds if months else 0,
        lines=[PreviewLine(text=line.text, amount=line.amount) for line in lines],
    )


def _begin(bill: stripe.Invoice) -> datetime:
    """The moment for which it was computed; an item that waited for the next invoice may be older."""
    return datetime.fromtimestamp(max(line.period.start for line in bill.lines.data), UTC)
