"""Put the minutes of paid invoices into the ledger: the first month at once, later ones when they begin."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.grants.minutes import months_of
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.people.billing.schemas import InvoiceLine
from api.people.ledger.service import grant
from api.people.plans.minutes import GrantSource
from api.people.plans.models import COUNTING, Subscription
from api.people.plans.tiers import PLANS
from api.platform.db import clock
from api.platform.db.base import utc_now

DUE_AT_ONCE = 200
"""Invoices whose next month is granted in one transaction."""


async def grant_months(session: AsyncSession, invoice: Invoice, *, counts: bool) -> None:
    """Grant the months of a paid invoice that have begun and are not in the ledger yet.

    `counts`: whether its subscription still counts. Otherwise only the first month is granted, which was paid for.
    """
    if invoice.state != InvoiceState.PAID or invoice.source != InvoiceSource.STRIPE or invoice.user_id is None:
        return
    lines = [InvoiceLine.model_validate(line) for line in invoice.lines]
    now = utc_now()
    for index, month in enumerate(months_of(lines)):
        is_due = index == 0 or (counts and month.start <= now)
        if not is_due or (invoice.granted_until is not None and month.end <= invoice.granted_until):
            continue
        await grant(
            session,
            payer_id=invoice.user_id,
            source=GrantSource.PLAN,
            seconds=month.seconds,
            starts_at=month.start,
            expires_at=month.end,
            key=f"plan:{invoice.stripe_id}:{month.start:%Y-%m-%d}",
            note=_note(lines),
        )
        invoice.granted_until = month.end


async def grant_begun_months(session: AsyncSession) -> int:
    """Grant the months of yearly plans that have begun. Returns how many invoices were looked at."""
    statement = (
        select(Invoice)
        .join(Subscription, Subscription.stripe_id == Invoice.subscription_id)
        .where(
            Invoice.state == InvoiceState.PAID,
            Invoice.source == InvoiceSource.STRIPE,
            Invoice.granted_until <= clock.now(),
            Invoice.period_end > clock.now(),
            Subscription.is_current,
            Subscription.status.in_(COUNTING),
        )
        .order_by(Invoice.id)
        .limit(DUE_AT_ONCE)
        .with_for_update(of=Invoice)
    )
    due = (await session.scalars(statement)).all()
    for invoice in due:
        await grant_months(session, invoice, counts=True)
    return len(due)


def _note(lines: list[InvoiceLine]) -> str:
    """The plan that was billed last: an upgrade credits the old one first."""
    tiers = [line.tier for line in lines if line.tier is not None and line.amount >= 0]
    return PLANS[tiers[-1]].label if tiers else ""
