"""The languages of mails and dates."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from starlette.requests import Request

from api.platform.http.translation import wants_icelandic


class Locale(StrEnum):
    EN = "en"
    IS = "is"


_MONTHS = {
    Locale.EN: (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    Locale.IS: (
        *("janúar", "febrúar", "mars", "apríl", "maí", "júní"),
        *("júlí", "ágúst", "september", "október", "nóvember", "desember"),
    ),
}


def locale_of(request: Request) -> Locale:
    """The language that the browser prefers, as far as we have it."""
    return Locale.IS if wants_icelandic(request.headers.get("accept-language")) else Locale.EN


def date_in_words(date: datetime, locale: str) -> str:
    """Such as `4 March 2027`, or `4. mars 2027` in Icelandic."""
    known = Locale(locale) if locale in list(Locale) else Locale.EN
    dot = "." if known is Locale.IS else ""
    return f"{date.day}{dot} {_MONTHS[known][date.month - 1]} {date.year}"
