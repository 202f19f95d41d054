"""The life of our own invoices: draft, open, then paid or void. Stripe's follow Stripe."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.invoices.drafting import draft_month
from api.edges.admin.invoices.queries import find, is_over
from api.edges.admin.invoices.schemas import DraftCount, InvoiceChange
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.people.auth.viewer import Viewer
from api.people.billing.models import Invoice, InvoiceNumber, InvoiceSource, InvoiceState
from api.people.billing.schemas import InvoiceLine
from api.people.billing.transitions import CONTRACT_INVOICE_STATE
from api.people.ledger.month import Month
from api.platform.db.base import utc_now
from api.platform.http.errors import Conflict, Invalid
from cluster.wording.message import Message

DUE_DAYS = 30
OF_STRIPE = Message("admin.of_stripe", "Stripe wrote this invoice. Change it in Stripe; its state follows here.")
NOT_DRAFT = Message(
    "admin.not_draft", "This invoice is issued, so it cannot be changed. Void it and draft the month again."
)
NOT_OPEN = Message("admin.not_open", "Only an open invoice can be paid or voided.")
NOT_OVER = Message(
    "admin.not_over", "The month of this invoice is not over. Issue it then, so that no minutes are missing."
)
NOTHING_TO_PAY = Message("admin.nothing_to_pay", "The total of an invoice must be more than zero.")
NOT_PAID_YET = Message(
    "admin.not_paid_yet", "The payment cannot lie in the future. Enter the day on which the money arrived."
)


async def draft(session: AsyncSession, admin: Viewer, month: Month) -> DraftCount:
    drafted = await draft_month(session, month, utc_now())
    record_for(session, admin, AuditAction.INVOICES_DRAFTED, count=drafted.drafted, month=str(month))
    return drafted


async def change(session: AsyncSession, admin: Viewer, invoice_id: uuid.UUID, change: InvoiceChange) -> Invoice:
    """Replace the lines and the tax of a draft. Lines with the same text keep their period."""
    invoice = await _own(session, invoice_id, InvoiceState.DRAFT, NOT_DRAFT)
    total = sum(line.amount for line in change.lines) + change.tax
    if total <= 0:
        raise Invalid.field("lines", NOTHING_TO_PAY)
    before = {line.text: line for line in map(InvoiceLine.model_validate, invoice.lines)}
    lines = []
    for line in change.lines:
        known = before.get(line.text)
        start, end = (known.start, known.end) if known else (None, None)
        lines.append(InvoiceLine(text=line.text, amount=line.amount, quantity=line.quantity, start=start, end=end))
    invoice.lines = [line.model_dump(mode="json") for line in lines]
    invoice.tax, invoice.total = change.tax, total
    _record(session, admin, AuditAction.INVOICE_CHANGED, invoice, total=total)
    return invoice


async def discard(session: AsyncSession, admin: Viewer, invoice_id: uuid.UUID) -> None:
    """Delete a draft. It has no number yet, so none is missing."""
    invoice = await _own(session, invoice_id, InvoiceState.DRAFT, NOT_DRAFT)
    _record(session, admin, AuditAction.INVOICE_DISCARDED, invoice)
    await session.delete(invoice)


async def issue(session: AsyncSession, admin: Viewer, invoice_id: uuid.UUID) -> Invoice:
    invoice = await _own(session, invoice_id, InvoiceState.DRAFT, NOT_DRAFT)
    if not is_over(invoice):
        raise Conflict(NOT_OVER)
    now = utc_now()
    invoice.number = await _next_number(session, now.year)
    CONTRACT_INVOICE_STATE.move(invoice, InvoiceState.OPEN)
    invoice.issued_at, invoice.due_at = now, now + timedelta(days=DUE_DAYS)
    _record(session, admin, AuditAction.INVOICE_ISSUED, invoice, number=invoice.number)
    return invoice


async def mark_paid(session: AsyncSession, admin: Viewer, invoice_id: uuid.UUID, paid_on: date | None) -> Invoice:
    invoice = await _own(session, invoice_id, InvoiceState.OPEN, NOT_OPEN)
    now = utc_now()
    paid_at = now if paid_on is None else datetime.combine(paid_on, time(), UTC)
    if paid_at > now:
        raise Invalid.field("paid_on", NOT_PAID_YET)
    CONTRACT_INVOICE_STATE.move(invoice, InvoiceState.PAID)
    invoice.paid_at = paid_at
    _record(session, admin, AuditAction.INVOICE_PAID, invoice, number=invoice.number)
    return invoice


async def void(session: AsyncSession, admin: Viewer, invoice_id: uuid.UUID, reason: str) -> Invoice:
    """The number stays used. The month can be drafted again."""
    invoice = await _own(session, invoice_id, InvoiceState.OPEN, NOT_OPEN)
    CONTRACT_INVOICE_STATE.move(invoice, InvoiceState.VOID)
    _record(session, admin, AuditAction.INVOICE_VOIDED, invoice, number=invoice.number, reason=reason)
    return invoice


async def _own(session: AsyncSession, invoice_id: uuid.UUID, state: InvoiceState, refusal: str) -> Invoice:
    """A contract invoice in this state, locked. Raises NotFound and Conflict."""
    invoice = await find(session, invoice_id, hold=True)
    if invoice.source != InvoiceSource.CONTRACT:
        raise Conflict(OF_STRIPE)
    if invoice.state != state:
        raise Conflict(refusal)
    return invoice


async def _next_number(session: AsyncSession, year: int) -> str:
    """Count in this transaction: if it fails, the number is free again."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    await session.execute(insert(InvoiceNumber).values(year=year, newest=0).on_conflict_do_nothing())
    statement = select(InvoiceNumber).where(InvoiceNumber.year == year).with_for_update()
    row = (await session.scalars(statement.execution_options(populate_existing=True))).one()
    row.newest += 1
    return f"{year}-{row.newest:05}"


def _record(session: AsyncSession, admin: Viewer, action: AuditAction, invoice: Invoice, **details: Any) -> None:
    record_for(
        session,
        admin,
        action,
        subject_id=invoice.user_id,
        object_kind="invoice",
        object_id=str(invoice.id),
        **details,
    )
