"""Begin a subscription."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from api.people.billing.account.customers import card_of_intent, customer_of, use_card
from api.people.billing.account.reading import current_of, read_account
from api.people.billing.discounts.coupons import FoundCoupon, find_coupon
from api.people.billing.errors import AlreadySubscribed
from api.people.billing.models import ChangeKind
from api.people.billing.payments import Billing
from api.people.billing.schemas import PaymentOut, PaymentStep, SubscriptionRequest
from api.people.billing.stripe.gateway import stripe_errors
from api.people.billing.stripe.prices import OFFERS, Offer
from api.people.billing.subscription.changes import Keys, Wish, make_change
from api.people.billing.subscription.costs import bill_of_new, check_due
from api.people.plans.models import COUNTING, SubscriptionStatus
from api.people.plans.queries import contract_of
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

if TYPE_CHECKING:
    import stripe

NOT_FOR_SALE = Message("billing.not_for_sale", "This plan cannot be bought here. Choose one of those on the page.")
HAS_CONTRACT = Message(
    "billing.has_contract", "Your account has a contract, which includes its own minutes. Contact us to change it."
)


def offer_of(tier: str, period: str) -> Offer:
    """The offer that somebody chose. Raises `Invalid` for a tier that is not for sale."""
    for offer in OFFERS:
        if (offer.tier, offer.period) == (tier, period):
            return offer
    raise Invalid.field("type", NOT_FOR_SALE)


async def subscribe(billing: Billing, user_id: uuid.UUID, request: SubscriptionRequest) -> PaymentOut:
    """Subscribe with the card of the intent. The plan begins once the first invoice is paid.

    Raises `AmountChanged` if it would cost anything but what the page showed.
    """
    offer = offer_of(request.type, request.period)
    async with billing.database.read() as session:
        if await contract_of(session, user_id) is not None:
            raise Invalid(HAS_CONTRACT)
    coupon = await find_coupon(billing.gateway, request.coupon) if request.coupon else None
    customer = await customer_of(billing, user_id)
    if request.due is not None:
        check_due(request.due, await bill_of_new(billing, customer, offer, coupon))
    method = await card_of_intent(billing, customer, request.intent)

    async def work(keys: Keys) -> PaymentOut:
        await use_card(billing, customer, method)
        await _make_room(billing, user_id, keys)
        return await _create(billing, user_id, customer, method, offer, coupon, keys)

    return await make_change(billing, user_id, Wish(ChangeKind.SUBSCRIBE, offer, request.coupon or None), work)


async def _make_room(billing: Billing, user_id: uuid.UUID, keys: Keys) -> None:
    """End an earlier subscription whose first payment never arrived. Raises `AlreadySubscribed` for one that counts."""
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    if current is None or current.change_id == str(keys.change_id):
        return
    if current.status in (*COUNTING, SubscriptionStatus.PAUSED):
        raise AlreadySubscribed
    with stripe_errors():
        await billing.gateway.v1.subscriptions.cancel_async(
            current.stripe_id, {}, {"idempotency_key": keys.of("make_room")}
        )


async def _create(
    billing: Billing,
    user_id: uuid.UUID,
    customer: str,
    method: str,
    offer: Offer,
    coupon: FoundCoupon | None,
    keys: Keys,
) -> PaymentOut:
    params: stripe.params.SubscriptionCreateParams = {
        "customer": customer,
        "items": [{"price": await billing.prices.id_of(offer)}],
        "default_payment_method": method,
        "payment_behavior": "default_incomplete",
        "payment_settings": {"save_default_payment_method": "on_subscription"},
        # Discounts stay out of the prorations' amounts, whose sign says which plan they credit.
        "billing_mode": {"type": "flexible", "flexible": {"proration_discounts": "itemized"}},
        "metadata": {"user_id": str(user_id), "change": str(keys.change_id)},
        "expand": ["latest_invoice.confirmation_secret"],
    }
    if coupon is not None:
        params["discounts"] = [coupon.discount()]
    with stripe_errors():
        made = await billing.gateway.v1.subscriptions.create_async(params, {"idempotency_key": keys.of("subscribe")})
    return payment_step(made.latest_invoice, method) if made.status == "incomplete" else DONE


def payment_step(invoice: str | stripe.Invoice | None, method: str | None) -> PaymentOut:
    """What the page does about an open invoice; it must come with its confirmation secret."""
    secret = None if invoice is None or isinstance(invoice, str) else invoice.confirmation_secret
    if secret is None:
        return DONE
    return PaymentOut(step=PaymentStep.CONFIRM, client_secret=secret.client_secret, payment_method=method)


DONE = PaymentOut(step=PaymentStep.DONE)
