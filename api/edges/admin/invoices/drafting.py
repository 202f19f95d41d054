"""Drafts of a month's contract invoices: the monthly price, and extra minutes from the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.admin.invoices.schemas import DraftCount
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.people.billing.schemas import InvoiceLine
from api.people.companies.models import Company
from api.people.companies.queries import companies_of
from api.people.ledger.month import Month
from api.people.ledger.usage import usage_of
from api.people.plans.models import Contract
from api.people.plans.tiers import CURRENCY
from api.people.users.models import User
from api.platform.http.errors import Invalid
from cluster.wording.message import Message

NOT_YET = Message("admin.not_yet", "This month has not begun. Choose this month or an earlier one.")


async def draft_month(session: AsyncSession, month: Month, now: datetime) -> DraftCount:
    """One draft for each contract in force in the month. Raises Invalid for a month to come.

    A second call skips what exists, also while the first one runs: a month has one invoice of a contract that is not
    void, by the database's own rule.
    """
    if month.start > now:
        raise Invalid.field("month", NOT_YET)
    contracts = await _contracts_in(session, month)
    companies = await companies_of(session, [user.id for _, user in contracts])
    drafted = 0
    for contract, user in contracts:
        lines = await _lines(session, contract, month)
        total = sum(line.amount for line in lines)
        if not lines or total <= 0 or await _has_invoice(session, user, month):
            continue
        company = companies.get(user.id)
        session.add(
            Invoice(
                user_id=user.id,
                customer_name=company.name if company else user.name,
                customer_email=(company.email if company else None) or user.email,
                customer_address=_address(company) if company else "",
                source=InvoiceSource.CONTRACT,
                state=InvoiceState.DRAFT,
                currency=CURRENCY,
                total=total,
                period_start=month.start,
                period_end=month.end,
                lines=[line.model_dump(mode="json") for line in lines],
            )
        )
        drafted += 1
    return DraftCount(drafted=drafted, skipped=len(contracts) - drafted)


async def _contracts_in(session: AsyncSession, month: Month) -> Sequence[tuple[Contract, User]]:
    """Locked, so that two calls at once do not draft the same month twice."""
    statement = (
        select(Contract, User)
        .join(User, User.id == Contract.user_id)
        .where(Contract.starts_at < month.end, or_(Contract.ends_at.is_(None), Contract.ends_at > month.start))
        .order_by(Contract.id)
        .with_for_update(of=Contract)
    )
    return (await session.execute(statement)).tuples().all()


async def _has_invoice(session: AsyncSession, user: User, month: Month) -> bool:
    statement = select(Invoice.id).where(
        Invoice.user_id == user.id,
        Invoice.source == InvoiceSource.CONTRACT,
        Invoice.state != InvoiceState.VOID,
        Invoice.period_start == month.start,
    )
    return await session.scalar(statement) is not None


async def _lines(session: AsyncSession, contract: Contract, month: Month) -> list[InvoiceLine]:
    lines = []
    start = max(month.start, contract.starts_at)
    end = month.end if contract.ends_at is None else min(month.end, contract.ends_at)
    if contract.price_monthly > 0:
        share = (end - start) / (month.end - month.start)
        text = "Contract, monthly price" if share >= 1 else "Contract, part of the monthly price"
        lines.append(InvoiceLine(text=text, amount=round(contract.price_monthly * share), start=start, end=end))
    usage = await usage_of(session, contract.user_id, month)
    if usage.extra_cents:
        minutes = -(-usage.extra_seconds // 60)
        text = f"{minutes:,} extra minutes of sound"
        lines.append(InvoiceLine(text=text, amount=usage.extra_cents, start=month.start, end=month.end))
    return lines


def _address(company: Company) -> str:
    lines = [
        company.contact,
        company.address,
        company.country,
        f"Registration number {company.registration_number}" if company.registration_number else None,
        f"VAT number {company.vat_number}" if company.vat_number else None,
    ]
    return "\n".join(line for line in lines if line)
