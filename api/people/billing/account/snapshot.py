"""What Stripe says about a customer, in our own types."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from api.people.billing.discounts.coupons import describe_coupon
from api.people.billing.discounts.discount import Discount, cost_at, discount_of, until_of
from api.people.billing.schemas import InvoiceLine
from api.people.billing.stripe.gateway import Gateway, stripe_errors
from api.people.billing.stripe.prices import Offer, Prices

if TYPE_CHECKING:
    import stripe

SUBSCRIPTIONS_READ = 20
INVOICES_READ = 24
"""The newest ones. Those before were read when they were new."""


@dataclass(frozen=True, slots=True)
class ReadSubscription:
    stripe_id: str
    created_at: datetime
    status: str
    offer: Offer
    price: int
    """What a period costs before discounts. A price that is no longer sold stays as it was."""
    item_id: str
    period_start: datetime
    period_end: datetime
    cancel_at: datetime | None
    schedule_id: str | None
    following: Offer | None
    """What its schedule brings next."""
    pending: Offer | None
    """What begins once its open invoice is paid."""
    pending_until: datetime | None
    discount: str | None
    discounts: tuple[Discount, ...]
    change_id: str | None
    """The change of ours that made it."""

    @property
    def renewal_amount(self) -> int:
        """What the invoice costs that begins the next period."""
        price = self.following.amount if self.following is not None else self.price
        return cost_at(price, self.discounts, self.period_end)

    @property
    def discount_until(self) -> datetime | None:
        return until_of(self.discounts, self.period_end)


@dataclass(frozen=True, slots=True)
class ReadInvoice:
    stripe_id: str
    number: str | None
    state: str
    currency: str
    total: int
    tax: int
    amount_due: int
    issued_at: datetime
    due_at: datetime | None
    paid_at: datetime | None
    subscription_id: str | None
    is_first: bool
    """Whether it starts a subscription: the customer is on the page when it fails."""
    failures: int
    lines: tuple[InvoiceLine, ...]


@dataclass(frozen=True, slots=True)
class ReadCard:
    brand: str
    last4: str
    month: int
    year: int


@dataclass(frozen=True, slots=True)
class Snapshot:
    card: ReadCard | None
    subscriptions: tuple[ReadSubscription, ...]
    invoices: tuple[ReadInvoice, ...]


async def read_customer(gateway: Gateway, prices: Prices, customer_id: str, invoice_id: str | None = None) -> Snapshot:
    """Everything about a customer that we keep. `invoice_id` is read too when it is not among the newest ones."""
    with stripe_errors():
        customer, subscriptions, invoices = await asyncio.gather(
            gateway.v1.customers.retrieve_async(customer_id, {"expand": ["invoice_settings.default_payment_method"]}),
            gateway.v1.subscriptions.list_async(
                {
                    "customer": customer_id,
                    "status": "all",
                    "limit": SUBSCRIPTIONS_READ,
                    "expand": ["data.schedule", "data.discounts.source.coupon"],
                }
            ),
            gateway.v1.invoices.list_async({"customer": customer_id, "limit": INVOICES_READ}),
        )
        bills = list(invoices.data)
        if invoice_id is not None and invoice_id not in {bill.id for bill in bills}:
            bill = await gateway.v1.invoices.retrieve_async(invoice_id)
            if id_of(bill.customer) == customer_id:
                bills.append(bill)
    read = [await _subscription(prices, one) for one in subscriptions.data]
    return Snapshot(
        card=_card(customer),
        subscriptions=tuple(one for one in read if one is not None),
        invoices=tuple([await _invoice(prices, one) for one in bills]),
    )


def id_of(value: Any) -> str | None:
    """The id in a field that holds an id, the object itself, or nothing."""
    return value if value is None or isinstance(value, str) else str(value.id)


def moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _card(customer: stripe.Customer) -> ReadCard | None:
    settings = getattr(customer, "invoice_settings", None)
    method = getattr(settings, "default_payment_method", None)
    card = getattr(method, "card", None)
    if card is None:
        return None
    return ReadCard(brand=card.brand, last4=card.last4, month=card.exp_month, year=card.exp_year)


async def _subscription(prices: Prices, one: stripe.Subscription) -> ReadSubscription | None:
    """None for a subscription to something that is not a plan of ours."""
    item = one.items.data[0]
    offer = await prices.offer_of(item.price.id)
    if offer is None:
        return None
    pending = one.pending_update
    pending_items = (pending.subscription_items or []) if pending is not None else []
    coupons = _coupons(one)
    schedule = one.schedule if not isinstance(one.schedule, str) else None
    return ReadSubscription(
        stripe_id=one.id,
        created_at=datetime.fromtimestamp(one.created, UTC),
        status=str(one.status),
        offer=offer,
        price=item.price.unit_amount or 0,
        item_id=item.id,
        period_start=datetime.fromtimestamp(item.current_period_start, UTC),
        period_end=datetime.fromtimestamp(item.current_period_end, UTC),
        cancel_at=moment(one.cancel_at),
        schedule_id=id_of(one.schedule),
        following=await _following(prices, schedule, item.current_period_end),
        pending=await prices.offer_of(pending_items[0].price.id) if pending_items else None,
        pending_until=moment(pending.expires_at) if pending is not None else None,
        discount=describe_coupon(coupons[0][0]) if coupons else None,
        discounts=tuple(discount_of(coupon, ends_at) for coupon, ends_at in coupons),
        change_id=one.metadata.to_dict().get("change"),
    )


async def _following(prices: Prices, schedule: stripe.SubscriptionSchedule | None, period_end: int) -> Offer | None:
    if schedule is None:
        return None
    for phase in schedule.phases:
        if phase.start_date >= period_end and phase.items:
            return await prices.offer_of(str(id_of(phase.items[0].price)))
    return None


def _coupons(one: stripe.Subscription) -> list[tuple[stripe.Coupon, datetime | None]]:
    """The coupons of a subscription, each with the end of its discount."""
    return [
        (discount.source.coupon, moment(discount.end))
        for discount in one.discounts
        if not isinstance(discount, str)
        and discount.source.coupon is not None
        and not isinstance(discount.source.coupon, str)
    ]


async def _invoice(prices: Prices, bill: stripe.Invoice) -> ReadInvoice:
    details = bill.parent.subscription_details if bill.parent is not None else None
    moments = bill.status_transitions
    return ReadInvoice(
        stripe_id=bill.id,
        number=bill.number,
        state=str(bill.status),
        currency=bill.currency,
        total=bill.total,
        tax=sum(tax.amount for tax in bill.total_taxes or []),
        amount_due=bill.amount_remaining,
        issued_at=datetime.fromtimestamp(moments.finalized_at or bill.created, UTC),
        due_at=moment(bill.due_date),
        paid_at=moment(moments.paid_at),
        subscription_id=id_of(details.subscription) if details is not None else None,
        is_first=bill.billing_reason == "subscription_create",
        failures=bill.attempt_count if bill.status == "open" and bill.attempted else 0,
        lines=tuple([await read_line(prices, line) for line in bill.lines.data]),
    )


async def read_line(prices: Prices, line: stripe.InvoiceLineItem) -> InvoiceLine:
    price = line.pricing.price_details.price if line.pricing is not None and line.pricing.price_details else None
    offer = await prices.offer_of(str(id_of(price))) if price is not None else None
    item = line.parent.subscription_item_details if line.parent is not None else None
    other = line.parent.invoice_item_details if line.parent is not None else None
    return InvoiceLine(
        text=line.description or "Subscription",
        amount=line.amount,
        quantity=line.quantity or 1,
        start=moment(line.period.start),
        end=moment(line.period.end),
        tier=offer.tier if offer is not None else None,
        period=offer.period if offer is not None else None,
        is_proration=bool((item is not None and item.proration) or (other is not None and other.proration)),
    )
