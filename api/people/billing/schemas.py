from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, Field, StringConstraints

from api.people.billing.models import InvoiceSource, InvoiceState
from api.people.plans.models import SubscriptionStatus
from api.people.plans.tiers import BillingPeriod, PlanTier
from api.platform.http.limits import COUPON_MAX, STRIPE_ID_MAX
from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE

StripeId = Annotated[str, StringConstraints(min_length=1, max_length=STRIPE_ID_MAX, pattern="^[A-Za-z0-9_]+$")]
Cents = Annotated[int, Field(ge=0, le=100_000_000)]
CouponCode = Annotated[str, StringConstraints(max_length=COUPON_MAX), CLEAN_LINE]


class PaymentMethodIn(BaseModel):
    payment_method: StripeId


class SubscriptionRequest(BaseModel):
    """`intent` is the setup intent with which the page saved a card."""

    type: PlanTier
    period: BillingPeriod
    intent: StripeId
    coupon: CouponCode | None = None
    currency: Literal["usd"] = "usd"
    due: Cents | None = None
    """The amount that the page showed, in cents: the order is refused if it would cost anything else."""


class Confirmation(BaseModel):
    """What the page showed: the amount in cents and, for an upgrade, the moment for which it was computed.

    The call is refused with `amount_changed` if it would cost anything else.
    """

    due: Cents | None = None
    as_of: AwareDatetime | None = None


class IntentOut(BaseModel):
    """What Stripe.js needs to save a card."""

    id: str
    client_secret: str


class PaymentStep(StrEnum):
    DONE = "done"
    CONFIRM = "confirm"


class PaymentOut(BaseModel):
    """With `confirm`, the page confirms the payment with Stripe.js; the bank may have questions."""

    step: PaymentStep
    client_secret: str | None = None
    payment_method: str | None = None


class CouponOut(BaseModel):
    """`percent_off` or `amount_off` (cents) is set. `months` is set where the discount repeats for that long."""

    code: str
    label: PageText
    percent_off: float | None
    amount_off: int | None
    duration: str
    months: int | None


class NextOut(BaseModel):
    """A change that takes effect when the paid period ends."""

    tier: PlanTier
    period: BillingPeriod
    label: str
    price: int
    at: datetime | None


class PendingOut(BaseModel):
    """An upgrade that begins once its payment is confirmed, at the latest at `until`."""

    tier: PlanTier
    period: BillingPeriod
    label: str
    until: datetime | None


class SubscriptionOut(BaseModel):
    """Prices in cents. Past `cancel_at` the subscription is over.

    `renewal_amount` is what the next invoice takes, with the discount that it still has; `discount_until` is when that
    discount ends, None where it does not.
    """

    tier: PlanTier
    label: str
    period: BillingPeriod
    price: int
    renewal_amount: int
    discount_until: datetime | None
    status: SubscriptionStatus
    period_start: datetime | None
    period_end: datetime | None
    cancel_at: datetime | None
    next: NextOut | None


class CardOut(BaseModel):
    brand: str
    last4: str
    month: int | None
    year: int | None


class BillingOut(BaseModel):
    """`due` is what has to be paid now, in cents. `has_ended`: there was a subscription, and it is over."""

    plan: PlanTier
    has_contract: bool
    subscription: SubscriptionOut | None
    has_ended: bool
    pending: PendingOut | None
    due: int | None
    card: CardOut | None
    discount: str | None


class PreviewLine(BaseModel):
    text: str
    amount: int


class PreviewOut(BaseModel):
    """What a subscription or a change costs, in cents.

    `due_now` is charged at once. An upgrade is computed for `as_of`, and costs this as long as that is sent with it. A
    change that waits begins at `at`. The next whole period costs `next_amount`, with the discount that is left then;
    invoices from `discount_until` on cost `price`. `seconds` of sound come with this payment.
    """

    tier: PlanTier
    period: BillingPeriod
    is_immediate: bool
    at: datetime | None
    as_of: datetime | None
    due_now: int
    discount: int
    price: int
    next_amount: int
    discount_until: datetime | None
    seconds: int
    lines: list[PreviewLine]


class InvoiceLine(BaseModel):
    """A line of an invoice. `tier` and `period` are set where it bills a plan; a proration bills part of its time."""

    text: str
    amount: int
    quantity: int = 1
    start: datetime | None = None
    end: datetime | None = None
    tier: PlanTier | None = None
    period: BillingPeriod | None = None
    is_proration: bool = False


class InvoiceOut(BaseModel):
    id: uuid.UUID
    number: str | None
    source: InvoiceSource
    state: InvoiceState
    currency: str
    total: int
    tax: int
    period_start: datetime | None
    period_end: datetime | None
    issued_at: datetime | None
    due_at: datetime | None
    paid_at: datetime | None
    lines: list[InvoiceLine]
