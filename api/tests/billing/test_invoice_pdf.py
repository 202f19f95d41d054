"""Our own invoices as PDF."""

from __future__ import annotations

import asyncio
import io
import re
from datetime import UTC, datetime

import pytest
from pypdf import PdfReader

from api.people.billing.invoices.pdf import WORDS, make_pdf
from api.people.billing.invoices.stripe_pdf import is_stripe_address
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.platform.http.pages.language import PageLanguage

START, END = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 31, tzinfo=UTC)


def invoice(lines: int = 2, **values: object) -> Invoice:
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    fields = {
        "number": "S-2026-0007",
        "customer_name": "Ríkisútvarpið ohf.",
        "customer_address": "Efstaleiti 1\n103 Reykjavík\nVSK 12345",
        "customer_email": "reikningar@example.is",
        "source": InvoiceSource.CONTRACT,
        "state": InvoiceState.OPEN,
        "currency": "usd",
        "total": 124_000,
        "tax": 24_000,
        "issued_at": moment,
        "due_at": datetime(2026, 11, 15, tzinfo=UTC),
        "lines": [{"text": f"Extra minutes {number}", "amount": 50_000, "quantity": 20} for number in range(lines)],
    }
    return Invoice(**(fields | values))


def text_of(document: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(document)).pages)


def test_an_invoice_says_who_pays_what_and_when() -> None:
    text = text_of(make_pdf(invoice(), "Sagascript ehf.; Laugavegur 1; 101 Reykjavík"))
    for words in ("S-2026-0007", "Ríkisútvarpið ohf.", "VSK 12345", "Sagascript ehf.", "Laugavegur 1"):
        assert words in text
    assert "15 November 2026" in text
    assert "500.00 USD" in text
    assert "1,240.00 USD" in text
    assert "240.00 USD" in text


async def test_an_icelandic_page_gets_it_in_icelandic() -> None:
    documents: list[bytes] = []

    async def answer(_scope: object, _receive: object, _send: object) -> None:
        documents.append(await asyncio.to_thread(make_pdf, invoice(period_start=START, period_end=END), ""))

    request = {"type": "http", "path": "/api/billing/invoices/1/pdf", "query_string": b"in=is", "headers": []}
    await PageLanguage(answer)(request, None, None)  # type: ignore[arg-type]
    text = text_of(documents[0])
    for words in ("Reikningur", "Gjalddagi", "15. nóvember 2026", "1. október 2026 – 31. október 2026", "1.240,00 USD"):
        assert words in text
    assert not [word for word in WORDS.values() if re.search(rf"^{re.escape(word.english)}\b", text, re.MULTILINE)]


def test_many_lines_and_strange_text_fit_on_more_pages() -> None:
    strange = invoice(lines=60, customer_name="<b>A & B</b> " + "x" * 180, customer_address="")
    document = make_pdf(strange, "")
    assert len(PdfReader(io.BytesIO(document)).pages) > 1
    assert "<b>A & B</b>" in text_of(document)


@pytest.mark.parametrize(
    ("state", "title"), [(InvoiceState.DRAFT, "Draft invoice"), (InvoiceState.VOID, "Invoice (void)")]
)
def test_drafts_and_void_invoices_say_so(state: InvoiceState, title: str) -> None:
    assert title in text_of(make_pdf(invoice(state=state, number=None), ""))


@pytest.mark.parametrize(
    ("url", "is_theirs"),
    [
        ("https://pay.stripe.com/invoice/acct_1/pdf", True),
        ("https://files.stripe.com/x", True),
        ("http://pay.stripe.com/x", False),
        ("https://stripe.com.example.org/x", False),
        ("http://169.254.169.254/latest", False),
    ],
)
def test_documents_are_fetched_from_stripe_alone(url: str, is_theirs: bool) -> None:
    assert is_stripe_address(url, "https://api.stripe.com") is is_theirs
