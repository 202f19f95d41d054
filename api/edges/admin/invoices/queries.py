from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.dashboard.ranges import DAY_S
from api.edges.admin.invoices.schemas import AdminInvoiceOut, InvoiceQuery, MonthTotals
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.people.billing.queries import describe
from api.people.ledger.month import Month
from api.platform.db.base import utc_now
from api.platform.db.expressions import contains_text, epoch_s, in_list
from api.platform.http.errors import NotFound
from api.platform.http.limits import COUNTED_MAX
from cluster.wording.message import Message

NOT_FOUND = Message("admin.not_found", "Invoice not found")
MONTHS = 12
_ORDER = (Invoice.created_at.desc(), Invoice.id.expression.desc())


async def page_of_invoices(session: AsyncSession, query: InvoiceQuery) -> tuple[list[AdminInvoiceOut], int]:
    """One page, the newest first, and how many match, at most one more than we count."""
    conditions = _conditions(query)
    ids = select(Invoice.id).where(*conditions).order_by(*_ORDER).offset(query.offset).limit(query.size)
    matching = select(literal(1).label("one")).select_from(Invoice).where(*conditions).limit(COUNTED_MAX + 1)
    total = await session.scalar(select(func.count()).select_from(matching.subquery())) or 0
    if total <= query.offset:
        return [], total
    found = (await session.scalars(ids)).all()
    rows = (await session.scalars(select(Invoice).where(in_list(session, Invoice.id, found)).order_by(*_ORDER))).all()
    return [describe_for_admin(invoice) for invoice in rows], total


def all_invoices(query: InvoiceQuery) -> Select[Invoice]:
    return select(Invoice).where(*_conditions(query)).order_by(*_ORDER)


async def find(session: AsyncSession, invoice_id: uuid.UUID, *, hold: bool = False) -> Invoice:
    """The invoice, locked with `hold`. Raises NotFound."""
    statement = select(Invoice).where(Invoice.id == invoice_id)
    invoice = (await session.scalars(statement.with_for_update() if hold else statement)).one_or_none()
    if invoice is None:
        raise NotFound(NOT_FOUND)
    return invoice


async def totals(session: AsyncSession, now: datetime) -> list[MonthTotals]:
    """The last twelve months, the newest first, without months that have no invoice."""
    first = Month.of(now)
    for _ in range(MONTHS - 1):
        first = Month(first.year - 1, 12) if first.number == 1 else Month(first.year, first.number - 1)
    day = epoch_s(Invoice.issued_at) // DAY_S
    counting = (InvoiceState.PAID, InvoiceState.OPEN, InvoiceState.UNCOLLECTIBLE)
    sums = [func.sum(case((Invoice.state == state, Invoice.total), else_=0)) for state in counting]
    rows = await session.execute(
        select(day, Invoice.currency, func.count(), *sums)
        .where(Invoice.issued_at >= first.start, Invoice.state.in_(counting))
        .group_by(day, Invoice.currency)
    )
    found: dict[tuple[date, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for number, currency, *amounts in rows.tuples():
        month = datetime.fromtimestamp(number * DAY_S, UTC).date().replace(day=1)
        for index, amount in enumerate(amounts):
            found[month, currency][index] += int(amount or 0)
    return [
        MonthTotals(month=month, currency=currency, invoices=count, paid=paid, open=still_open, uncollectible=lost)
        for (month, currency), (count, paid, still_open, lost) in sorted(found.items(), reverse=True)
    ]


def describe_for_admin(invoice: Invoice) -> AdminInvoiceOut:
    return AdminInvoiceOut(
        **describe(invoice).model_dump(),
        user_id=invoice.user_id,
        customer_name=invoice.customer_name,
        customer_email=invoice.customer_email,
        customer_address=invoice.customer_address,
        created_at=invoice.created_at,
        may_issue=invoice.state == InvoiceState.DRAFT and is_over(invoice),
    )


def is_over(invoice: Invoice) -> bool:
    """Whether the billed time has passed, so that no usage is missing."""
    return (
        invoice.source == InvoiceSource.CONTRACT and invoice.period_end is not None and invoice.period_end <= utc_now()
    )


def _conditions(query: InvoiceQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[Any]] = []
    if query.source:
        conditions.append(Invoice.source.in_(query.source))
    if query.state:
        conditions.append(Invoice.state.in_(query.state))
    if query.month is not None:
        month = Month.read(query.month)
        dated = func.coalesce(Invoice.issued_at, Invoice.created_at)
        conditions += [dated >= month.start, dated < month.end]
    if query.q:
        number = func.coalesce(Invoice.number, "")
        texts = (number, Invoice.customer_name, Invoice.customer_email)
        conditions.append(or_(*(contains_text(text, query.q) for text in texts)))
    return conditions
