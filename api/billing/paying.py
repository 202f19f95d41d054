"""Pay an open invoice: a first payment, an upgrade or a renewal that did not work."""

from __future__ import annotations

import uuid

from api.billing.errors import NothingDue
from api.billing.gateway import stripe_errors
from api.billing.payments import Billing
from api.billing.reading import current_of, due_invoice, read_account
from api.billing.schemas import PaymentOut
from api.billing.snapshot import id_of
from api.billing.subscribing import DONE, payment_step


async def pay(billing: Billing, user_id: uuid.UUID) -> PaymentOut:
    """What the page needs to confirm the payment with the customer's card. Raises `NothingDue`."""
    snapshot = await read_account(billing, user_id)
    current = current_of(snapshot) if snapshot is not None else None
    due = due_invoice(snapshot, current) if snapshot is not None else None
    if current is None or due is None:
        raise NothingDue
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
