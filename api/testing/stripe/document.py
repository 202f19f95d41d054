"""The PDF of the stand-in's invoices: what Stripe's own shows, on the page of our contract invoices."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from api.people.billing.invoices.pdf import make_pdf
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.testing.stripe.world import Thing

SELLER = "Sagascript; Demonstration: no money has moved"


def document(bill: Thing) -> bytes:
    """With seller, customer, dates, every line, the discount and the tax."""
    moments = bill["status_transitions"]
    return make_pdf(
        Invoice(
            number=bill["number"],
            customer_name=bill["customer_name"] or "",
            customer_email=bill["customer_email"] or "",
            customer_address="",
            source=InvoiceSource.STRIPE,
            state=InvoiceState(bill["status"]),
            currency=bill["currency"],
            total=bill["total"],
            tax=sum(tax["amount"] for tax in bill["total_taxes"]),
            issued_at=_moment(moments["finalized_at"]),
            due_at=_moment(bill["due_date"]),
            paid_at=_moment(moments["paid_at"]),
            lines=[*(_line(each) for each in bill["lines"]["data"]), *_discounts(bill)],
        ),
        SELLER,
    )


def _line(line: Thing) -> dict[str, Any]:
    start, end = (_moment(line["period"][name]) for name in ("start", "end"))
    return {"text": line["description"], "amount": line["amount"], "start": start, "end": end}


def _discounts(bill: Thing) -> list[dict[str, Any]]:
    off = sum(each["amount"] for each in bill["total_discount_amounts"])
    return [{"text": "Discount", "amount": -off}] if off else []


def _moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
