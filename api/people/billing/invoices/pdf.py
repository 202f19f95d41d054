"""Our own invoices as PDF, for contracts. Stripe makes those of subscriptions."""

from __future__ import annotations

from datetime import datetime
from importlib import resources
from typing import cast

from api.people.billing.models import Invoice, InvoiceState
from api.people.billing.schemas import InvoiceLine
from api.platform.http.pages.language import in_page_language
from cluster.wording.message import Wording

MARGIN = 20
QUIET, INK, RULE = (88, 98, 94), (27, 34, 32), (205, 201, 189)
REGULAR = resources.files("pipelines.captions.fonts.files").joinpath("DejaVuSans.ttf")
FONT = "text"
AMOUNT_WIDTH = 34
WORDS = {
    "invoice": Wording("invoice.invoice", "Invoice"),
    "draft_invoice": Wording("invoice.draft_invoice", "Draft invoice"),
    "invoice_void": Wording("invoice.invoice_void", "Invoice (void)"),
    "not_issued_yet": Wording("invoice.not_issued_yet", "Not issued yet"),
    "from": Wording("invoice.from", "From"),
    "to": Wording("invoice.to", "To"),
    "issued": Wording("invoice.issued", "Issued"),
    "due": Wording("invoice.due", "Due"),
    "paid": Wording("invoice.paid", "Paid"),
    "period": Wording("invoice.period", "Period"),
    "net": Wording("invoice.net", "Net"),
    "tax": Wording("invoice.tax", "Tax"),
    "total": Wording("invoice.total", "Total"),
}
_AMOUNT = Wording("invoice.amount", "{amount:,.2f} {currency}")
_DAY = Wording("invoice.day", "{day}")
_PERIOD = Wording("invoice.days", "{first} to {last}")
TITLES = {
    InvoiceState.DRAFT: "draft_invoice",
    InvoiceState.VOID: "invoice_void",
}


def make_pdf(invoice: Invoice, seller: str) -> bytes:
    """An A4 page, or more for many lines, in the language of the page that asks for it.

    `seller`: name and address, their lines separated by semicolons.
    """
    page = _Page()
    page.heading(_word(TITLES.get(InvoiceState(invoice.state), "invoice")), invoice.number or _word("not_issued_yet"))
    page.columns(
        [line.strip() for line in seller.split(";") if line.strip()] or ["Sagascript"],
        [invoice.customer_name, *invoice.customer_address.splitlines(), invoice.customer_email],
    )
    page.facts(_facts(invoice))
    currency = invoice.currency.upper()
    for line in (InvoiceLine.model_validate(each) for each in invoice.lines):
        page.line(line.text, _period(line.start, line.end), line.quantity, _amount(line.amount, currency))
    page.sums(
        [
            (_word("net"), _amount(invoice.total - invoice.tax, currency)),
            (_word("tax"), _amount(invoice.tax, currency)),
            (_word("total"), _amount(invoice.total, currency)),
        ]
    )
    return page.document()


def _facts(invoice: Invoice) -> list[tuple[str, str]]:
    facts = [
        ("issued", invoice.issued_at),
        ("due", invoice.due_at),
        ("paid", invoice.paid_at if invoice.state == InvoiceState.PAID else None),
    ]
    found = [(_word(name), _day(moment)) for name, moment in facts if moment is not None]
    period = _period(invoice.period_start, invoice.period_end)
    return [*found, (_word("period"), period)] if period else found


def _period(start: datetime | None, end: datetime | None) -> str:
    if start is None or end is None:
        return ""
    return in_page_language(_PERIOD(first=start.date(), last=end.date()))


def _amount(cents: int, currency: str) -> str:
    return in_page_language(_AMOUNT(amount=cents / 100, currency=currency))


def _day(moment: datetime) -> str:
    return in_page_language(_DAY(day=moment.date()))


def _word(word: str) -> str:
    return in_page_language(WORDS[word]())


class _Page:
    """A document from top to bottom. The font has every European script."""

    def __init__(self) -> None:
        # Importing it, with fontTools, takes a fifth of the start of a web process, and few ever write an invoice.
        from fpdf import FPDF

        self._pdf = FPDF(format="A4")
        self._pdf.set_margins(MARGIN, MARGIN, MARGIN)
        self._pdf.set_auto_page_break(True, MARGIN)
        self._pdf.add_font(FONT, "", str(REGULAR))
        self._pdf.add_page()
        self._pdf.set_title(_word("invoice"))

    def document(self) -> bytes:
        return bytes(self._pdf.output())

    def heading(self, title: str, number: str) -> None:
        self._text(22, INK)
        self._pdf.cell(0, 10, title, new_x="LMARGIN", new_y="NEXT")
        self._text(11, QUIET)
        self._pdf.cell(0, 7, number, new_x="LMARGIN", new_y="NEXT")
        self._pdf.ln(8)

    def columns(self, left: list[str], right: list[str]) -> None:
        top, half = self._pdf.get_y(), self._pdf.epw / 2
        bottoms = []
        for index, (label, lines) in enumerate(((_word("from"), left), (_word("to"), right))):
            self._pdf.set_xy(MARGIN + index * half, top)
            self._text(9, QUIET)
            self._pdf.cell(half - 5, 5, label, new_x="LEFT", new_y="NEXT")
            self._text(10, INK)
            self._pdf.multi_cell(half - 5, 5.2, "\n".join(line for line in lines if line), align="L")
            bottoms.append(self._pdf.get_y())
        self._pdf.set_xy(MARGIN, max(bottoms) + 8)

    def facts(self, facts: list[tuple[str, str]]) -> None:
        for name, value in facts:
            self._text(9, QUIET)
            self._pdf.cell(28, 5.6, name)
            self._text(10, INK)
            self._pdf.cell(0, 5.6, value, new_x="LMARGIN", new_y="NEXT")
        self._pdf.ln(8)
        self._rule()

    def line(self, text: str, period: str, quantity: int, amount: str) -> None:
        self._text(10, INK)
        width = self._pdf.epw - AMOUNT_WIDTH
        shown = text if quantity == 1 else f"{quantity:,} × {text}"
        height = cast(float, self._pdf.multi_cell(width - 4, 5.2, shown, dry_run=True, output="HEIGHT"))
        if self._pdf.will_page_break(height + 10):
            self._pdf.add_page()
        top = self._pdf.get_y() + 2
        self._pdf.set_xy(MARGIN + width, top)
        self._pdf.cell(AMOUNT_WIDTH, 5.2, amount, align="R")
        self._pdf.set_xy(MARGIN, top)
        self._pdf.multi_cell(width - 4, 5.2, shown, align="L", new_x="LMARGIN", new_y="NEXT")
        if period:
            self._text(8.5, QUIET)
            self._pdf.cell(0, 5, period, new_x="LMARGIN", new_y="NEXT")
        self._pdf.ln(2)
        self._rule()

    def sums(self, sums: list[tuple[str, str]]) -> None:
        self._pdf.ln(3)
        for name, amount in sums:
            is_total = name == sums[-1][0]
            self._text(12 if is_total else 10, INK if is_total else QUIET)
            self._pdf.cell(self._pdf.epw - AMOUNT_WIDTH - 10, 7, name, align="R")
            self._pdf.cell(AMOUNT_WIDTH + 10, 7, amount, align="R", new_x="LMARGIN", new_y="NEXT")

    def _text(self, size: float, colour: tuple[int, int, int]) -> None:
        self._pdf.set_font(FONT, "", size)
        self._pdf.set_text_color(*colour)

    def _rule(self) -> None:
        self._pdf.set_draw_color(*RULE)
        y = self._pdf.get_y()
        self._pdf.line(MARGIN, y, MARGIN + self._pdf.epw, y)
