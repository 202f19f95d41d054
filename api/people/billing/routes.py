"""A person's plan and payments."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query

from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.attempts import Limit, SharedAttempts
from api.people.auth.step_up import StepUp
from api.people.auth.viewer import SignedIn, Viewer, require_csrf_header
from api.people.billing import queries
from api.people.billing.account import customers
from api.people.billing.account.reading import read_account
from api.people.billing.discounts.coupons import find_coupon
from api.people.billing.payments import Billing, Payments
from api.people.billing.schemas import (
    BillingOut,
    Confirmation,
    CouponOut,
    IntentOut,
    PaymentMethodIn,
    PaymentOut,
    PreviewOut,
    SubscriptionRequest,
)
from api.people.billing.subscription import changing, ending, paying, preview, subscribing
from api.people.plans.tiers import BillingPeriod, PlanTier
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import COUPON_MAX

router = APIRouter(prefix="/api/user", tags=["billing"])

COUPON_TRIES = Limit("coupon", 10, 60.0)
"""Codes can be guessed."""
PAYMENT_TRIES = Limit("payment", 30, 60.0)
"""Each is a few calls to Stripe, which has limits of its own."""

HeaderNeeded = Depends(require_csrf_header)
"""For calls that change something by GET: a link on another page must not do it."""
Code = Annotated[str, Path(min_length=1, max_length=COUPON_MAX)]
ERRORS = error_responses(401, 402, 404, 409, 419, 422, 429)
CHANGING_GET = error_responses(401, 402, 403, 404, 409, 419, 422, 429)


async def _limited(billing: Billing, attempts: SharedAttempts, viewer: Viewer) -> None:
    await attempts.add(billing.database, (PAYMENT_TRIES, str(viewer.user_id)))


async def _answer(billing: Billing, viewer: Viewer) -> Data[BillingOut]:
    async with billing.database.read() as session:
        return Data(data=await queries.billing_of(session, viewer.user_id))


async def _note(billing: Billing, viewer: Viewer, action: AuditAction, **details: Any) -> None:
    async with billing.database.write() as session:
        record_for(session, viewer, action, **details)


@router.get("/billing", responses=error_responses(401, 404))
async def get_billing(viewer: SignedIn, billing: Payments) -> Data[BillingOut]:
    """The plan, the card and what is due, as we last read them."""
    return await _answer(billing, viewer)


@router.post("/billing/refresh", responses=ERRORS)
async def refresh_billing(viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[BillingOut]:
    """Read everything from Stripe again: the page calls this after a payment, which may be ahead of its event."""
    await _limited(billing, attempts, viewer)
    await read_account(billing, viewer.user_id)
    return await _answer(billing, viewer)


@router.post("/billing/pay", responses=ERRORS)
async def pay_invoice(
    viewer: SignedIn, billing: Payments, attempts: SharedAttempts, body: Confirmation | None = None
) -> Data[PaymentOut]:
    """Pay what is due: the answer has what Stripe.js needs to confirm it."""
    await _limited(billing, attempts, viewer)
    return Data(data=await paying.pay(billing, viewer.user_id, body.due if body is not None else None))


@router.put("/billing/payment", dependencies=[StepUp], responses=ERRORS)
async def change_payment_method(
    body: PaymentMethodIn, viewer: SignedIn, billing: Payments, attempts: SharedAttempts
) -> Data[BillingOut]:
    """Use a card that the page has saved with a setup intent."""
    await _limited(billing, attempts, viewer)
    await customers.change_card(billing, viewer.user_id, body.payment_method)
    await _note(billing, viewer, AuditAction.CARD_CHANGED)
    return await _answer(billing, viewer)


@router.get("/stripe/intent", dependencies=[HeaderNeeded], responses=CHANGING_GET)
async def stripe_intent(viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[IntentOut]:
    """What Stripe.js needs to save a card. It creates an intent, so it demands the anti-forgery header."""
    await _limited(billing, attempts, viewer)
    return Data(data=await customers.new_intent(billing, viewer.user_id))


@router.get("/coupon/{code}", responses=ERRORS)
async def check_coupon(code: Code, viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[CouponOut]:
    """What a coupon or a promotion code takes off."""
    await attempts.add(billing.database, (COUPON_TRIES, str(viewer.user_id)))
    return Data(data=(await find_coupon(billing.gateway, code.strip())).out)


@router.post("/subscribe", dependencies=[StepUp], responses=ERRORS)
async def subscribe(
    body: SubscriptionRequest, viewer: SignedIn, billing: Payments, attempts: SharedAttempts
) -> Data[PaymentOut]:
    """Subscribe with the intent's card. With `confirm`, the plan begins once the page has confirmed the payment."""
    await _limited(billing, attempts, viewer)
    result = await subscribing.subscribe(billing, viewer.user_id, body)
    await _note(billing, viewer, AuditAction.SUBSCRIBED, plan=body.type, period=body.period)
    return Data(data=result)


@router.get("/subscription/preview/{tier}/{period}", responses=ERRORS)
async def preview_change(
    tier: PlanTier,
    period: BillingPeriod,
    viewer: SignedIn,
    billing: Payments,
    attempts: SharedAttempts,
    coupon: Annotated[str | None, Query(max_length=COUPON_MAX)] = None,
) -> Data[PreviewOut]:
    """What a subscription to this plan, or a change to it, would cost now."""
    await _limited(billing, attempts, viewer)
    return Data(data=await preview.preview(billing, viewer.user_id, tier, period, coupon))


@router.get("/subscription/cancel", dependencies=[HeaderNeeded, StepUp], responses=CHANGING_GET)
async def cancel_subscription(viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[BillingOut]:
    """End the subscription with its paid period. Demands the anti-forgery header although it is a GET."""
    await _limited(billing, attempts, viewer)
    await ending.cancel(billing, viewer.user_id)
    await _note(billing, viewer, AuditAction.SUBSCRIPTION_CANCELLED)
    return await _answer(billing, viewer)


@router.get("/subscription/uncancel", dependencies=[HeaderNeeded], responses=CHANGING_GET)
async def uncancel_subscription(viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[BillingOut]:
    """Take a cancellation back. Demands the anti-forgery header although it is a GET."""
    await _limited(billing, attempts, viewer)
    await ending.uncancel(billing, viewer.user_id)
    await _note(billing, viewer, AuditAction.SUBSCRIPTION_KEPT)
    return await _answer(billing, viewer)


@router.put("/subscription/change/cancel", responses=ERRORS)
async def cancel_change(viewer: SignedIn, billing: Payments, attempts: SharedAttempts) -> Data[BillingOut]:
    """Take back a change of plan that has not begun yet."""
    await _limited(billing, attempts, viewer)
    await changing.take_back(billing, viewer.user_id)
    await _note(billing, viewer, AuditAction.PLAN_CHANGE_TAKEN_BACK)
    return await _answer(billing, viewer)


@router.put("/subscription/change/{tier}/{period}", dependencies=[StepUp], responses=ERRORS)
async def change_subscription(
    tier: PlanTier,
    period: BillingPeriod,
    viewer: SignedIn,
    billing: Payments,
    attempts: SharedAttempts,
    body: Confirmation | None = None,
) -> Data[PaymentOut]:
    """Change the plan: to a higher one at once, otherwise when the paid period ends."""
    await _limited(billing, attempts, viewer)
    result = await changing.change_plan(billing, viewer.user_id, tier, period, body or changing.NOTHING_SHOWN)
    await _note(billing, viewer, AuditAction.PLAN_CHANGED, plan=tier, period=period)
    return Data(data=result)
