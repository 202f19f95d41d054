"""Invoices, their PDFs, and the webhook."""

from __future__ import annotations

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from api.people.auth.viewer import SignedIn
from api.people.billing import queries, webhooks
from api.people.billing.invoices.pdf import make_pdf
from api.people.billing.invoices.stripe_pdf import fetch_pdf
from api.people.billing.models import Invoice, InvoiceSource
from api.people.billing.payments import Payments
from api.people.billing.schemas import InvoiceOut
from api.platform.http.downloads.names import attachment
from api.platform.http.errors import error_responses
from api.platform.http.paging import Page, PageQuery, page_of
from api.platform.http.state import ReadSession

router = APIRouter(prefix="/api/billing", tags=["billing"])

SIGNATURE = "Stripe-Signature"


@router.get("/invoices", responses=error_responses(401, 404, 422))
async def list_invoices(
    viewer: SignedIn, _: Payments, session: ReadSession, query: Annotated[PageQuery, Query()]
) -> Page[InvoiceOut]:
    """One's own invoices, the newest first."""
    invoices, total = await queries.invoices_of(session, viewer.user_id, query)
    return page_of([queries.describe(invoice) for invoice in invoices], query, total)


@router.get("/invoices/{invoice_id}/pdf", response_class=Response, responses=error_responses(401, 402, 404, 422))
async def invoice_pdf(invoice_id: uuid.UUID, viewer: SignedIn, billing: Payments) -> Response:
    """Stripe's document for its invoices, ours for those of contracts."""
    async with billing.database.read() as session:
        invoice = await queries.find_invoice(session, viewer.user_id, invoice_id)
    if invoice.source == InvoiceSource.STRIPE and invoice.stripe_id is not None:
        document = await fetch_pdf(billing, invoice.stripe_id)
    else:
        document = await asyncio.to_thread(make_pdf, invoice, billing.settings.invoice_seller or "")
    return pdf_answer(invoice, document)


def pdf_answer(invoice: Invoice, document: bytes) -> Response:
    """A document to save, named after its invoice."""
    name = f"invoice-{invoice.number or invoice.id}.pdf"
    headers = {"Content-Disposition": attachment(name), "Cache-Control": "no-store"}
    return Response(document, media_type="application/pdf", headers=headers)


@router.post("/webhook", status_code=204, responses=error_responses(400, 402, 404, 409, 422))
async def stripe_webhook(request: Request, billing: Payments) -> None:
    """An event of Stripe, signed over its body. Anything but success makes Stripe deliver it again."""
    await webhooks.receive(billing, await request.body(), request.headers.get(SIGNATURE))
