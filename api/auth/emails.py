"""One form of each e-mail address, however it is typed."""

from __future__ import annotations

import unicodedata

from email_validator import EmailNotValidError, validate_email

from api.http.text import clean_line

NOT_AN_EMAIL = "The email must be a valid email address."


def normal_email(text: str) -> str:
    """The address in lower case and NFC, an internationalised domain in Unicode.

    `ValueError` when it is no plain address; the form `Name <address>` is none.
    """
    try:
        found = validate_email(clean_line(text), check_deliverability=False, allow_display_name=False)
    except EmailNotValidError:
        raise ValueError(NOT_AN_EMAIL) from None
    return _lower(found.normalized)


def login_email(text: str) -> str:
    """What to look an account up by: as `normal_email`, and any other text as typed, in lower case."""
    try:
        return normal_email(text)
    except ValueError:
        return _lower(clean_line(text))


def _lower(text: str) -> str:
    return unicodedata.normalize("NFC", text.lower())
