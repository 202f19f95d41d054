from __future__ import annotations

import uuid
from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.people.billing.models import InvoiceSource, InvoiceState
from api.people.billing.schemas import InvoiceOut
from api.people.ledger.month import MonthText
from api.platform.http.downloads.csv_export import CsvPageQuery
from api.platform.http.limits import INVOICE_LINES_MAX, KEYWORD_MAX
from api.platform.http.text import CLEAN_LINE

LINE_TEXT_MAX = 200
REASON_MAX = 300
AMOUNT_MAX = 100_000_000
"""Cents. The columns hold 32 bits."""

Cents = Annotated[int, Field(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]


class InvoiceQuery(CsvPageQuery):
    """`month` is that of the invoice's date; `q` is part of a number, name or address. Several values mean any."""

    source: list[InvoiceSource] = Field(default_factory=list)
    state: list[InvoiceState] = Field(default_factory=list)
    month: MonthText | None = None
    q: Annotated[str, StringConstraints(max_length=KEYWORD_MAX), CLEAN_LINE] = ""


class AdminInvoiceOut(InvoiceOut):
    """`may_issue`: a draft whose month is over. `user_id` is null once the account is gone."""

    user_id: uuid.UUID | None
    customer_name: str
    customer_email: str
    customer_address: str
    created_at: datetime
    may_issue: bool


class MonthTotals(BaseModel):
    """Cents of the invoices dated in a month, by what became of them."""

    month: date
    currency: str
    invoices: int
    paid: int
    open: int
    uncollectible: int


class DraftRequest(BaseModel):
    month: MonthText


class DraftCount(BaseModel):
    """`drafted` invoices are new; `skipped` contracts have one for the month already, or nothing to pay."""

    drafted: int
    skipped: int


class LineChange(BaseModel):
    text: Annotated[str, StringConstraints(min_length=1, max_length=LINE_TEXT_MAX), CLEAN_LINE]
    amount: Cents
    quantity: Annotated[int, Field(ge=1, le=1_000_000)] = 1


class InvoiceChange(BaseModel):
    """What a draft says. `tax` is part of nothing yet: the total is the sum of the lines and the tax."""

    lines: Annotated[list[LineChange], Field(min_length=1, max_length=INVOICE_LINES_MAX)]
    tax: Annotated[int, Field(ge=0, le=AMOUNT_MAX)] = 0


class PaidRequest(BaseModel):
    """The day on which the money arrived; today when left out."""

    paid_on: date | None = None


class VoidRequest(BaseModel):
    reason: Annotated[str, StringConstraints(min_length=1, max_length=REASON_MAX), CLEAN_LINE]
