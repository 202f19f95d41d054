"""Events of Stripe. An event only tells whom to read again: what it says may be old by the time it arrives."""

from __future__ import annotations

import structlog
from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.account.reading import read_account
from api.people.billing.models import BillingAccount, BillingEvent
from api.people.billing.payments import Billing
from api.people.billing.stripe.events import Event
from api.platform.db import clock
from api.platform.db.base import utc_now

log = structlog.get_logger(__name__)


async def receive(billing: Billing, payload: bytes, signature: str | None) -> None:
    """Handle one delivery. Raises `BadSignature`, `BadEvent` or `PaymentsAway`: then Stripe delivers it again."""
    event = billing.gateway.event(payload, signature)
    customer = event.customer
    async with billing.database.write() as session:
        if not await _is_new(session, event):
            return
        account = None
        if customer is not None:
            statement = select(BillingAccount).where(BillingAccount.customer_id == customer)
            account = (await session.scalars(statement)).one_or_none()
    if account is not None:
        key = f"{event.created:012d} {event.id}"
        await read_account(billing, account.user_id, invoice_id=event.invoice, event=key)
    async with billing.database.write() as session:
        handled = update(BillingEvent).where(BillingEvent.id == event.id).values(handled_at=clock.now())
        await session.execute(handled)
    log.info("billing.event", kind=event.type, id=event.id, known=account is not None)


async def _is_new(session: AsyncSession, event: Event) -> bool:
    """Note the event. False when it was handled before."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    values = {
        "id": event.id,
        "kind": event.type,
        "created_at": event.created_at,
        "received_at": utc_now(),
    }
    await session.execute(insert(BillingEvent).values(**values).on_conflict_do_nothing())
    statement = select(BillingEvent.handled_at).where(BillingEvent.id == event.id)
    return (await session.scalars(statement)).one() is None
