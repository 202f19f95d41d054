"""Change the plan of a running subscription.

A higher plan of the same period begins at once, and is invoiced at once: the plan stays as it is until that is paid. A
lower plan, or another period, begins when the paid period ends, by a schedule of two phases.
"""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from api.people.billing.account.reading import current_of, due_invoice, read_account
from api.people.billing.account.snapshot import ReadSubscription, Snapshot, id_of
from api.people.billing.errors import NoSubscription
from api.people.billing.models import ChangeKind
from api.people.billing.payments import Billing
from api.people.billing.schemas import Confirmation, PaymentOut
from api.people.billing.stripe.gateway import stripe_errors
from api.people.billing.stripe.prices import INTERVALS, Offer
from api.people.billing.subscription.changes import Keys, Wish, make_change
from api.people.billing.subscription.costs import bill_of_upgrade, check_due, check_moment
from api.people.billing.subscription.paying import open_payment
from api.people.billing.subscription.subscribing import DONE, offer_of, payment_step
from api.people.plans.models import COUNTING, SubscriptionStatus
from api.platform.http.errors import Invalid
from cluster.wording.message import Message, Wording

if TYPE_CHECKING:
    import stripe

SAME = Message("billing.same", "This is your plan already.")
ENDS = Wording(
    "billing.ends", "Your subscription ends on {day}. Take the cancellation back before you change the plan."
)
UNPAID = Message("billing.unpaid", "Your last invoice is not paid yet. Pay it first, then change the plan.")
NOTHING_TO_TAKE_BACK = Message("billing.nothing_to_take_back", "No change of your plan is waiting.")
NOTHING_SHOWN = Confirmation()


def is_immediate(current: Offer, wanted: Offer) -> bool:
    """Whether a change is an upgrade, which begins at once."""
    return current.period == wanted.period and wanted.amount > current.amount


async def running(billing: Billing, user_id: uuid.UUID) -> tuple[Snapshot, ReadSubscription]:
    """The subscription as Stripe has it now. Raises `NoSubscription` unless it counts."""
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    if snapshot is None or current is None or current.status not in COUNTING:
        raise NoSubscription
    return snapshot, current


def check_change(current: ReadSubscription, wanted: Offer) -> None:
    """Raise `Invalid` for a change that makes no sense now."""
    if wanted == current.offer and current.following is None and current.pending is None:
        raise Invalid(SAME)
    if current.cancel_at is not None:
        raise Invalid(ENDS(day=current.cancel_at.date()))
    if current.status == SubscriptionStatus.PAST_DUE:
        raise Invalid(UNPAID)


async def change_plan(
    billing: Billing, user_id: uuid.UUID, tier: str, period: str, shown: Confirmation = NOTHING_SHOWN
) -> PaymentOut:
    """Change to another plan or period. Asking for the present one takes a waiting change back.

    Raises `AmountChanged` if an upgrade would charge anything but what was shown.
    """
    wanted = offer_of(tier, period)
    _, current = await running(billing, user_id)
    check_change(current, wanted)
    if wanted == current.offer:
        return await take_back(billing, user_id)
    kind = ChangeKind.UPGRADE if is_immediate(current.offer, wanted) else ChangeKind.SCHEDULE

    async def work(keys: Keys) -> PaymentOut:
        snapshot, now = await running(billing, user_id)
        check_change(now, wanted)
        if wanted in (now.offer, now.following):
            return DONE
        if now.pending == wanted:
            return await open_payment(billing, user_id, snapshot, now, shown.due)
        if kind is ChangeKind.UPGRADE:
            check_moment(now, shown.as_of)
            if shown.due is not None:
                check_due(shown.due, await bill_of_upgrade(billing, now, wanted, shown.as_of))
        await drop_waiting(billing, snapshot, now, keys)
        if kind is ChangeKind.UPGRADE:
            return await _upgrade(billing, now, wanted, shown.as_of, keys)
        await _schedule(billing, now, wanted, keys)
        return DONE

    return await make_change(billing, user_id, Wish(kind, wanted), work)


async def take_back(billing: Billing, user_id: uuid.UUID) -> PaymentOut:
    """Take back a change that has not begun yet."""
    _, current = await running(billing, user_id)
    if current.following is None and current.pending is None:
        raise Invalid(NOTHING_TO_TAKE_BACK)

    async def work(keys: Keys) -> PaymentOut:
        snapshot, now = await running(billing, user_id)
        await drop_waiting(billing, snapshot, now, keys)
        return DONE

    return await make_change(billing, user_id, Wish(ChangeKind.TAKE_BACK), work)


async def drop_waiting(billing: Billing, snapshot: Snapshot, current: ReadSubscription, keys: Keys) -> None:
    """Drop a scheduled change and an upgrade whose payment is missing."""
    due = due_invoice(snapshot, current)
    with stripe_errors():
        if current.pending is not None and due is not None:
            # Stripe drops a pending update with its invoice.
            await billing.gateway.v1.invoices.void_invoice_async(
                due.stripe_id, {}, {"idempotency_key": keys.of("void")}
            )
        if current.schedule_id is not None:
            await billing.gateway.v1.subscription_schedules.release_async(
                current.schedule_id, {}, {"idempotency_key": keys.of("release")}
            )


async def _upgrade(
    billing: Billing, current: ReadSubscription, wanted: Offer, as_of: datetime | None, keys: Keys
) -> PaymentOut:
    params: stripe.params.SubscriptionUpdateParams = {
        "items": [{"id": current.item_id, "price": await billing.prices.id_of(wanted)}],
        "proration_behavior": "always_invoice",
        "payment_behavior": "pending_if_incomplete",
        "expand": ["latest_invoice.confirmation_secret"],
    }
    step = "upgrade"
    if as_of is not None:
        params["proration_date"] = int(as_of.timestamp())
        # A try that was shown another amount is another request to Stripe.
        step = f"upgrade:{params['proration_date']}"
    with stripe_errors():
        changed = await billing.gateway.v1.subscriptions.update_async(
            current.stripe_id, params, {"idempotency_key": keys.of(step)}
        )
    if changed.pending_update is None:
        return DONE
    return payment_step(changed.latest_invoice, id_of(changed.default_payment_method))


async def _schedule(billing: Billing, current: ReadSubscription, wanted: Offer, keys: Keys) -> None:
    price = await billing.prices.id_of(wanted)
    with stripe_errors():
        schedule = await billing.gateway.v1.subscription_schedules.create_async(
            {"from_subscription": current.stripe_id}, {"idempotency_key": keys.of("schedule")}
        )
        present = schedule.phases[0]
        discounts = _discounts(present)
        await billing.gateway.v1.subscription_schedules.update_async(
            schedule.id,
            {
                "end_behavior": "release",
                "proration_behavior": "none",
                "phases": [
                    {
                        "items": [{"price": str(id_of(item.price)), "quantity": 1} for item in present.items],
                        "start_date": present.start_date,
                        "end_date": present.end_date,
                        "discounts": discounts,
                    },
                    {
                        "items": [{"price": price, "quantity": 1}],
                        "duration": {"interval": INTERVALS[wanted.period], "interval_count": 1},
                        "proration_behavior": "none",
                        "discounts": discounts,
                    },
                ],
            },
            {"idempotency_key": keys.of("phases")},
        )


def _discounts(
    phase: stripe.SubscriptionSchedule.Phase,
) -> list[stripe.params.SubscriptionScheduleUpdateParamsPhaseDiscount]:
    """The discounts of a phase, for the next one: Stripe does not carry them over."""
    return [{"discount": discount} for each in phase.discounts if (discount := id_of(each.discount)) is not None]
