"""Invoices of subscriptions and contracts, for administrators."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated, Any, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse
from sqlalchemy import Row

from api.edges.admin.invoices import queries, service
from api.edges.admin.invoices.schemas import (
    AdminInvoiceOut,
    DraftCount,
    DraftRequest,
    InvoiceChange,
    InvoiceQuery,
    MonthTotals,
    PaidRequest,
    VoidRequest,
)
from api.people.access.rules import AdminOnly
from api.people.billing.invoices.pdf import make_pdf
from api.people.billing.invoices.routes import pdf_answer
from api.people.billing.invoices.stripe_pdf import fetch_pdf
from api.people.billing.models import InvoiceSource
from api.people.billing.payments import Billing
from api.people.ledger.month import Month
from api.platform.db.base import utc_now
from api.platform.http.downloads.csv_export import CSV_RESPONSE, Cell, ListFormat, csv_answer
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.paging import Page, page_of
from api.platform.http.state import ReadSession, State, WriteSession

router = APIRouter(prefix="/api/admin/invoices", tags=["admin"])

HEADER = (
    "number", "source", "state", "customer", "email", "currency", "total_cents", "tax_cents", "period_start",
    "period_end", "issued_at", "due_at", "paid_at",
)  # fmt: skip


@router.get("", response_model=Page[AdminInvoiceOut], responses={**error_responses(401, 403, 422), **CSV_RESPONSE})
async def list_invoices(
    _admin: AdminOnly, state: State, session: ReadSession, query: Annotated[InvoiceQuery, Query()]
) -> Page[AdminInvoiceOut] | StreamingResponse:
    """A page of all invoices, the newest first."""
    if query.format is ListFormat.CSV:
        return csv_answer(state.database, "invoices.csv", HEADER, queries.all_invoices(query), _cells)
    invoices, total = await queries.page_of_invoices(session, query)
    return page_of(invoices, query, total)


@router.get("/totals", responses=error_responses(401, 403))
async def invoice_totals(_admin: AdminOnly, session: ReadSession) -> Data[list[MonthTotals]]:
    """What was billed and paid, by the month of the invoice's date."""
    return Data(data=await queries.totals(session, utc_now()))


@router.post("/drafts", responses=error_responses(401, 403, 419, 422))
async def draft_invoices(body: DraftRequest, admin: AdminOnly, session: WriteSession) -> Data[DraftCount]:
    """Draft the contract invoices of a month. What is drafted or issued already stays."""
    return Data(data=await service.draft(session, admin, Month.read(body.month)))


@router.get("/{invoice_id}", responses=error_responses(401, 403, 404, 422))
async def get_invoice(invoice_id: uuid.UUID, _admin: AdminOnly, session: ReadSession) -> Data[AdminInvoiceOut]:
    return Data(data=queries.describe_for_admin(await queries.find(session, invoice_id)))


@router.get("/{invoice_id}/pdf", response_class=Response, responses=error_responses(401, 402, 403, 404, 422))
async def get_pdf(invoice_id: uuid.UUID, _admin: AdminOnly, state: State, request: Request) -> Response:
    """Stripe's document for its invoices, ours for those of contracts."""
    async with state.database.read() as session:
        invoice = await queries.find(session, invoice_id)
    if invoice.source == InvoiceSource.CONTRACT:
        return pdf_answer(invoice, await asyncio.to_thread(make_pdf, invoice, state.settings.invoice_seller or ""))
    if not state.settings.billing or invoice.stripe_id is None:
        raise NotFound
    return pdf_answer(invoice, await fetch_pdf(cast(Billing, request.app.state.billing), invoice.stripe_id))


@router.put("/{invoice_id}", responses=error_responses(401, 403, 404, 409, 419, 422))
async def change_invoice(
    invoice_id: uuid.UUID, body: InvoiceChange, admin: AdminOnly, session: WriteSession
) -> Data[AdminInvoiceOut]:
    """Change a draft."""
    return Data(data=queries.describe_for_admin(await service.change(session, admin, invoice_id, body)))


@router.delete("/{invoice_id}", status_code=204, responses=error_responses(401, 403, 404, 409, 419, 422))
async def discard_invoice(invoice_id: uuid.UUID, admin: AdminOnly, session: WriteSession) -> None:
    """Discard a draft."""
    await service.discard(session, admin, invoice_id)


@router.post("/{invoice_id}/issue", responses=error_responses(401, 403, 404, 409, 419, 422))
async def issue_invoice(invoice_id: uuid.UUID, admin: AdminOnly, session: WriteSession) -> Data[AdminInvoiceOut]:
    """Give a draft its number and date. From now on the customer sees it."""
    return Data(data=queries.describe_for_admin(await service.issue(session, admin, invoice_id)))


@router.post("/{invoice_id}/paid", responses=error_responses(401, 403, 404, 409, 419, 422))
async def pay_invoice(
    invoice_id: uuid.UUID, body: PaidRequest, admin: AdminOnly, session: WriteSession
) -> Data[AdminInvoiceOut]:
    return Data(data=queries.describe_for_admin(await service.mark_paid(session, admin, invoice_id, body.paid_on)))


@router.post("/{invoice_id}/void", responses=error_responses(401, 403, 404, 409, 419, 422))
async def void_invoice(
    invoice_id: uuid.UUID, body: VoidRequest, admin: AdminOnly, session: WriteSession
) -> Data[AdminInvoiceOut]:
    return Data(data=queries.describe_for_admin(await service.void(session, admin, invoice_id, body.reason)))


def _cells(row: Row[*tuple[Any, ...]]) -> tuple[Cell, ...]:
    (invoice,) = row
    return (
        invoice.number, invoice.source, invoice.state, invoice.customer_name, invoice.customer_email, invoice.currency,
        invoice.total, invoice.tax, invoice.period_start, invoice.period_end, invoice.issued_at, invoice.due_at,
        invoice.paid_at,
    )  # fmt: skip
