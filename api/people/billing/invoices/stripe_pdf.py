"""The PDF of an invoice of Stripe, fetched by us: its address works for everybody who knows it."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2
import structlog

from api.people.billing.errors import PaymentsAway
from api.people.billing.payments import Billing
from api.people.billing.stripe.gateway import stripe_errors
from api.platform.http.errors import NotFound

PDF_BYTES_MAX = 10_000_000
FETCH_WITHIN_S = 6.0
STRIPE = "stripe.com"

log = structlog.get_logger(__name__)


async def fetch_pdf(billing: Billing, stripe_id: str) -> bytes:
    """Raises `NotFound` before the invoice has a PDF, and `PaymentsAway`."""
    with stripe_errors():
        bill = await billing.gateway.v1.invoices.retrieve_async(stripe_id)
    url = bill.invoice_pdf
    if url is None:
        raise NotFound
    if not is_stripe_address(url, billing.settings.stripe_api_url):
        log.error("stripe.strange_pdf", host=urlsplit(url).hostname)
        raise PaymentsAway
    try:
        async with httpx2.AsyncClient(timeout=FETCH_WITHIN_S, follow_redirects=True, max_redirects=3) as client:
            answer = await client.get(url)
    except httpx2.HTTPError as error:
        log.warning("stripe.pdf_unavailable", error=type(error).__name__)
        raise PaymentsAway from None
    if answer.status_code != 200 or len(answer.content) > PDF_BYTES_MAX or not answer.content.startswith(b"%PDF"):
        raise PaymentsAway
    return answer.content


def is_stripe_address(url: str, api_url: str) -> bool:
    """Whether an address is Stripe's, or that of the API we are set up with."""
    parts, own = urlsplit(url), urlsplit(api_url)
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return True
    host = parts.hostname or ""
    return parts.scheme == "https" and (host == STRIPE or host.endswith(f".{STRIPE}"))
