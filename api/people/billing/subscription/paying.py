"""Pay an open invoice: a first payment, an upgrade or a renewal that did not work."""

from __future__ import annotations

import uuid

from api.people.billing.account.reading import current_of, due_invoice, read_account
from api.people.billing.account.snapshot import ReadSubscription, Snapshot, id_of
from api.people.billing.errors import AmountChanged, NothingDue
from api.people.billing.payments import Billing
from api.people.billing.schemas import PaymentOut
from api.people.billing.stripe.gateway import stripe_errors
from api.people.billing.subscription.subscribing import DONE, payment_step


async def pay(billing: Billing, user_id: uuid.UUID, shown: int | None = None) -> PaymentOut:
    """What the page needs to confirm the payment with the customer's card.

    Raises `NothingDue`, and `AmountChanged` unless the amount is the one that was shown.
    """
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    if snapshot is None or current is None:
        raise NothingDue
    return await open_payment(billing, user_id, snapshot, current, shown)


async def open_payment(
    billing: Billing, user_id: uuid.UUID, snapshot: Snapshot, current: ReadSubscription, shown: int | None
) -> PaymentOut:
    """The same for what was read already."""
    due = due_invoice(snapshot, current)
    if due is None:
        raise NothingDue
    if shown is not None and shown != due.amount_due:
        raise AmountChanged
    with stripe_errors():
        bill = await billing.gateway.v1.invoices.retrieve_async(
            due.stripe_id, {"expand": ["confirmation_secret", "customer"]}
        )
    if bill.status != "open":
        await read_account(billing, user_id)
        return DONE
    customer = bill.customer if not isinstance(bill.customer, str) else None
    settings = getattr(customer, "invoice_settings", None)
    return payment_step(bill, id_of(getattr(settings, "default_payment_method", None)))
