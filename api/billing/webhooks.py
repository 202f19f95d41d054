"""Events of Stripe. An event only tells whom to read again: what it says may be old by the time it arrives."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.billing.models import BillingAccount, BillingEvent
from api.billing.payments import Billing
from api.billing.reading import read_account
from api.billing.snapshot import id_of
from api.db import clock
from api.db.base import utc_now

if TYPE_CHECKING:
    import stripe

log = structlog.get_logger(__name__)


async def receive(billing: Billing, payload: bytes, signature: str | None) -> None:
    """Handle one delivery. Raises `BadSignature`, or `PaymentsAway`: then Stripe delivers the event again."""
    event = billing.gateway.event(payload, signature)
    about = event.data.object
    customer = _customer(about)
    async with billing.database.write() as session:
        if not await _is_new(session, event):
            return
        account = None
        if customer is not None:
            statement = select(BillingAccount).where(BillingAccount.customer_id == customer)
            account = (await session.scalars(statement)).one_or_none()
    if account is not None:
        invoice = str(about["id"]) if about["object"] == "invoice" else None
        key = f"{event.created:012d} {event.id}"
        await read_account(billing, account.user_id, invoice_id=invoice, event=key)
    async with billing.database.write() as session:
        handled = update(BillingEvent).where(BillingEvent.id == event.id).values(handled_at=clock.now())
        await session.execute(handled)
    log.info("billing.event", kind=event.type, id=event.id, known=account is not None)


def _customer(about: Any) -> str | None:
    if about["object"] == "customer":
        return str(about["id"])
    return id_of(about["customer"]) if "customer" in about else None


async def _is_new(session: AsyncSession, event: stripe.Event) -> bool:
    """Note the event. False when it was handled before."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    values = {
        "id": event.id,
        "kind": event.type,
        "created_at": datetime.fromtimestamp(event.created, UTC),
        "received_at": utc_now(),
    }
    await session.execute(insert(BillingEvent).values(**values).on_conflict_do_nothing())
    statement = select(BillingEvent.handled_at).where(BillingEvent.id == event.id)
    return (await session.scalars(statement)).one() is None
