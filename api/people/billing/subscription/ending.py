"""Cancel a subscription, and take that back."""

from __future__ import annotations

import uuid

from api.people.billing.account.reading import current_of, read_account
from api.people.billing.errors import NoSubscription
from api.people.billing.models import ChangeKind
from api.people.billing.payments import Billing
from api.people.billing.stripe.gateway import stripe_errors
from api.people.billing.subscription.changes import Keys, Wish, make_change
from api.people.billing.subscription.changing import drop_waiting
from api.people.plans.models import COUNTING


async def cancel(billing: Billing, user_id: uuid.UUID) -> None:
    """End the subscription with its paid period; one that was never paid ends at once."""

    async def work(keys: Keys) -> None:
        snapshot = await read_account(billing, user_id)
        current = current_of(snapshot) if snapshot is not None else None
        if snapshot is None or current is None:
            raise NoSubscription
        if current.status not in COUNTING:
            with stripe_errors():
                await billing.gateway.v1.subscriptions.cancel_async(
                    current.stripe_id, {}, {"idempotency_key": keys.of("end")}
                )
            return
        if current.cancel_at is not None:
            return
        await drop_waiting(billing, snapshot, current, keys)
        with stripe_errors():
            await billing.gateway.v1.subscriptions.update_async(
                current.stripe_id, {"cancel_at": "min_period_end"}, {"idempotency_key": keys.of("cancel")}
            )

    await make_change(billing, user_id, Wish(ChangeKind.CANCEL), work)


async def uncancel(billing: Billing, user_id: uuid.UUID) -> None:
    """Let the subscription go on after all. Raises `NoSubscription` once it is over."""

    async def work(keys: Keys) -> None:
        snapshot = await read_account(billing, user_id)
        current = current_of(snapshot) if snapshot is not None else None
        if current is None or current.status not in COUNTING:
            raise NoSubscription
        if current.cancel_at is None:
            return
        with stripe_errors():
            await billing.gateway.v1.subscriptions.update_async(
                current.stripe_id, {"cancel_at": ""}, {"idempotency_key": keys.of("uncancel")}
            )

    await make_change(billing, user_id, Wish(ChangeKind.UNCANCEL), work)
