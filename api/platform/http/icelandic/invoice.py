"""Icelandic for the words of our own invoices."""

from __future__ import annotations

INVOICE = {
    "Invoice": "Reikningur",
    "Draft invoice": "Drög að reikningi",
    "Invoice (void)": "Reikningur (ógildur)",
    "Not issued yet": "Ekki gefinn út enn",
    "From": "Frá",
    "To": "Til",
    "Issued": "Gefinn út",
    "Due": "Gjalddagi",
    "Paid": "Greiddur",
    "Period": "Tímabil",
    "Net": "Samtals án skatts",
    "Tax": "Skattur",
    "Total": "Samtals",
}
