"""Bring our copy of a customer up to date. Whatever happened, and in whatever order we learn of it, we read everything.

Nothing is locked while Stripe answers. A counter in the account does what a lock would: what was read before somebody
else wrote is thrown away and read again, so that an older answer never replaces a newer one.
"""

from __future__ import annotations

import uuid

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.account.snapshot import ReadInvoice, ReadSubscription, Snapshot, read_customer
from api.people.billing.errors import PaymentsAway
from api.people.billing.grants.granting import grant_months
from api.people.billing.models import BillingAccount, Invoice, InvoiceSource, InvoiceState
from api.people.billing.payments import Billing
from api.people.billing.transitions import STRIPE_INVOICE_STATE, SUBSCRIPTION_STATUS
from api.people.billing.words import money
from api.people.plans.models import COUNTING, OPEN, Subscription, SubscriptionStatus
from api.people.users.models import User
from api.platform.db import clock
from api.platform.mail.messages import PaymentFailed
from api.platform.mail.outgoing import send_later

TRIES = 6
TO_PAY = (SubscriptionStatus.INCOMPLETE, SubscriptionStatus.PAST_DUE, SubscriptionStatus.UNPAID)

log = structlog.get_logger(__name__)


async def read_account(
    billing: Billing, user_id: uuid.UUID, *, invoice_id: str | None = None, event: str | None = None
) -> Snapshot | None:
    """Read a customer from Stripe and write what we keep. Returns what was read, None without an account.

    `event` is the creation time and id of the event that made us look. Such a reading must be written, and raises
    `PaymentsAway` where others always come first: Stripe sends the event again.
    """
    snapshot, begun_at = None, None
    for _ in range(TRIES):
        async with billing.database.read() as session:
            account = await session.get(BillingAccount, user_id)
        if account is None:
            return None
        begun_at = account.revision if begun_at is None else begun_at
        # Whoever wrote second began to read after the first had written, so after us: what is kept is new enough.
        if snapshot is not None and event is None and invoice_id is None and account.revision >= begun_at + 2:
            return snapshot
        snapshot = await read_customer(billing.gateway, billing.prices, account.customer_id, invoice_id)
        async with billing.database.write() as session:
            if await _is_first(session, account):
                await _write(session, billing, account, snapshot, event)
                return snapshot
    log.warning("billing.read_too_often", user=str(user_id))
    raise PaymentsAway


async def _is_first(session: AsyncSession, account: BillingAccount) -> bool:
    """Whether nobody has written since this account was read. From here on its row is ours until the commit."""
    statement = (
        update(BillingAccount)
        .where(BillingAccount.user_id == account.user_id, BillingAccount.revision == account.revision)
        .values(revision=account.revision + 1, read_at=clock.now())
        .returning(BillingAccount.user_id)
    )
    return (await session.scalars(statement)).first() is not None


async def _write(
    session: AsyncSession, billing: Billing, account: BillingAccount, snapshot: Snapshot, event: str | None
) -> None:
    user = await session.get_one(User, account.user_id)
    current = current_of(snapshot)
    row = await _write_subscriptions(session, user.id, snapshot, current, event)
    await _write_account(session, user.id, snapshot, current)
    counting = row.stripe_id if row is not None and row.status in COUNTING else None
    for bill in reversed(snapshot.invoices):
        await _write_invoice(session, billing, user, bill, counting)


def current_of(snapshot: Snapshot) -> ReadSubscription | None:
    """The subscription that has not ended. One that counts comes before one whose first payment is missing."""
    opened = [one for one in snapshot.subscriptions if one.status in OPEN]
    if len([one for one in opened if one.status in COUNTING]) > 1:
        log.error("billing.two_subscriptions", subscriptions=[one.stripe_id for one in opened])
    return max(opened, key=lambda one: (one.status in COUNTING, one.created_at, one.stripe_id), default=None)


async def _write_subscriptions(
    session: AsyncSession, user_id: uuid.UUID, snapshot: Snapshot, current: ReadSubscription | None, event: str | None
) -> Subscription | None:
    rows = {
        row.stripe_id: row for row in await session.scalars(select(Subscription).where(Subscription.user_id == user_id))
    }
    for row in rows.values():
        row.is_current = False
    # Two current rows, even for a moment, would break the index.
    await session.flush()
    for one in snapshot.subscriptions:
        if one.stripe_id not in rows:
            rows[one.stripe_id] = Subscription(
                user_id=user_id, stripe_id=one.stripe_id, is_current=False, status=SubscriptionStatus(one.status)
            )
            session.add(rows[one.stripe_id])
        row = rows[one.stripe_id]
        SUBSCRIPTION_STATUS.move(row, SubscriptionStatus(one.status))
        row.tier, row.period = one.offer.tier, one.offer.period
        row.period_start, row.period_end, row.cancel_at = one.period_start, one.period_end, one.cancel_at
        row.next_tier = one.following.tier if one.following is not None else None
        row.next_period = one.following.period if one.following is not None else None
        row.schedule_id = one.schedule_id
    found = rows[current.stripe_id] if current is not None else None
    if found is not None:
        found.is_current = True
        found.newest_event = max(filter(None, (found.newest_event, event)), default=None)
    await session.flush()
    return found


async def _write_account(
    session: AsyncSession, user_id: uuid.UUID, snapshot: Snapshot, current: ReadSubscription | None
) -> None:
    due = due_invoice(snapshot, current)
    pending = current.pending if current is not None else None
    card = snapshot.card
    values = {
        "card_brand": card.brand if card is not None else None,
        "card_last4": card.last4 if card is not None else None,
        "card_month": card.month if card is not None else None,
        "card_year": card.year if card is not None else None,
        "discount": current.discount if current is not None else None,
        "price": current.price if current is not None else None,
        "renewal_amount": current.renewal_amount if current is not None else None,
        "discount_until": current.discount_until if current is not None else None,
        "due_invoice": due.stripe_id if due is not None else None,
        "due_amount": due.amount_due if due is not None else None,
        "pending_tier": pending.tier if pending is not None else None,
        "pending_period": pending.period if pending is not None else None,
        "pending_until": current.pending_until if current is not None else None,
    }
    await session.execute(update(BillingAccount).where(BillingAccount.user_id == user_id).values(**values))


def due_invoice(snapshot: Snapshot, current: ReadSubscription | None) -> ReadInvoice | None:
    """The invoice that stands between the person and what they ordered."""
    if current is None or (current.status not in TO_PAY and current.pending is None):
        return None
    opened = [bill for bill in snapshot.invoices if bill.state == InvoiceState.OPEN and bill.amount_due > 0]
    return next((bill for bill in opened if bill.subscription_id == current.stripe_id), None)


async def _write_invoice(
    session: AsyncSession, billing: Billing, user: User, bill: ReadInvoice, counting: str | None
) -> None:
    found = select(Invoice).where(Invoice.stripe_id == bill.stripe_id)
    row = (await session.scalars(found)).one_or_none()
    if row is None:
        if bill.state == InvoiceState.DRAFT:
            return
        row = Invoice(
            user_id=user.id,
            customer_name=user.name,
            customer_email=user.email,
            source=InvoiceSource.STRIPE,
            stripe_id=bill.stripe_id,
            state=InvoiceState(bill.state),
            failures=0,
        )
        session.add(row)
    starts = [line.start for line in bill.lines if line.start is not None]
    ends = [line.end for line in bill.lines if line.end is not None]
    STRIPE_INVOICE_STATE.move(row, InvoiceState(bill.state))
    row.number, row.currency = bill.number, bill.currency
    row.total, row.tax = bill.total, bill.tax
    row.period_start, row.period_end = min(starts, default=None), max(ends, default=None)
    row.issued_at, row.due_at, row.paid_at = bill.issued_at, bill.due_at, bill.paid_at
    row.subscription_id = bill.subscription_id
    row.lines = [line.model_dump(mode="json") for line in bill.lines]
    await session.flush()
    await grant_months(session, row, counts=counting is not None and counting == bill.subscription_id)
    if bill.failures > row.failures and not bill.is_first:
        row.failures = bill.failures
        send_later(
            session,
            PaymentFailed(
                to=user.email,
                locale=user.locale,
                name=user.name,
                amount=money(bill.amount_due),
                link=f"{billing.settings.base_url}/subscription",
            ),
        )
