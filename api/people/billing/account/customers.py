"""A person as a customer of Stripe, made when they first need one, and their card."""

from __future__ import annotations

import hashlib
import uuid

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.account.reading import read_account
from api.people.billing.account.snapshot import id_of
from api.people.billing.errors import NotYours
from api.people.billing.models import BillingAccount
from api.people.billing.payments import Billing
from api.people.billing.schemas import IntentOut
from api.people.billing.stripe.gateway import stripe_errors
from api.people.plans.queries import subscription_of
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

NO_CARD = Message("billing.no_card", "Enter a card first. If you have just done so, reload the page and try again.")


async def customer_of(billing: Billing, user_id: uuid.UUID) -> str:
    """Stripe's id of this person. Two calls at once make one customer."""
    async with billing.database.read() as session:
        account = await session.get(BillingAccount, user_id)
        user = await session.get_one(User, user_id)
    if account is not None:
        return account.customer_id
    with stripe_errors():
        customer = await billing.gateway.v1.customers.create_async(
            {"email": user.email, "name": user.name, "metadata": {"user_id": str(user_id)}},
            {"idempotency_key": f"customer:{user_id}:{_digest(user.email, user.name)}"},
        )
    async with billing.database.write() as session:
        return await _keep(session, user_id, customer.id)


async def _keep(session: AsyncSession, user_id: uuid.UUID, customer_id: str) -> str:
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    now = utc_now()
    values = {
        "user_id": user_id,
        "customer_id": customer_id,
        "revision": 0,
        "created_at": now,
        "updated_at": now,
    }
    await session.execute(insert(BillingAccount).values(**values).on_conflict_do_nothing())
    return (await session.get_one(BillingAccount, user_id)).customer_id


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


async def new_intent(billing: Billing, user_id: uuid.UUID) -> IntentOut:
    """A setup intent, with which the page saves a card at Stripe. We never see the number."""
    customer = await customer_of(billing, user_id)
    with stripe_errors():
        intent = await billing.gateway.v1.setup_intents.create_async(
            {"customer": customer, "allowed_payment_method_types": ["card"], "usage": "off_session"}
        )
    return IntentOut(id=intent.id, client_secret=intent.client_secret or "")


async def card_of_intent(billing: Billing, customer: str, intent_id: str) -> str:
    """The payment method that a setup intent of this customer has saved. Raises `Invalid` before it has."""
    with stripe_errors():
        intent = await billing.gateway.v1.setup_intents.retrieve_async(intent_id)
    method = id_of(intent.payment_method)
    if id_of(intent.customer) != customer or intent.status != "succeeded" or method is None:
        raise Invalid.field("intent", NO_CARD)
    return method


async def use_card(billing: Billing, customer: str, method: str, subscription: str | None = None) -> None:
    """Pay with this card from now on."""
    with stripe_errors():
        await billing.gateway.v1.customers.update_async(
            customer, {"invoice_settings": {"default_payment_method": method}}
        )
        if subscription is not None:
            await billing.gateway.v1.subscriptions.update_async(subscription, {"default_payment_method": method})


async def change_card(billing: Billing, user_id: uuid.UUID, method: str) -> None:
    """Use a card that the person has just saved. Raises `NotYours` for anybody else's."""
    customer = await customer_of(billing, user_id)
    with stripe_errors():
        found = await billing.gateway.v1.payment_methods.retrieve_async(method)
    if id_of(found.customer) != customer:
        raise NotYours
    async with billing.database.read() as session:
        subscription = await subscription_of(session, user_id)
    await use_card(billing, customer, method, subscription.stripe_id if subscription is not None else None)
    await read_account(billing, user_id)
