"""One normal form for each e-mail address, however it is typed."""

from __future__ import annotations

import unicodedata

from email_validator import EmailNotValidError, validate_email

from api.platform.http.text import clean_line
from cluster.wording.message import Message

NO_DOMAIN = Message("auth.no_domain", "Write each domain as it stands after the @, such as example.com.")
NOT_AN_EMAIL = "The email must be a valid email address."


def normal_email(text: str) -> str:
    """The address in lower case and NFC, an internationalised domain in Unicode.

    Raises `ValueError` unless it is a plain address. The form `Name <address>` is not.
    """
    try:
        address = validate_email(clean_line(text), check_deliverability=False, allow_display_name=False)
    except EmailNotValidError:
        raise ValueError(NOT_AN_EMAIL) from None
    return _lower(address.normalized)


def problem_of(text: str) -> str:
    """Why `normal_email` refuses an address, in an English sentence for whoever runs the installation."""
    try:
        validate_email(clean_line(text), check_deliverability=False, allow_display_name=False)
    except EmailNotValidError as error:
        return str(error)
    return ""


def login_email(text: str) -> str:
    """The key for looking up an account: `normal_email`, or the text as typed in lower case when it is no address."""
    try:
        return normal_email(text)
    except ValueError:
        return _lower(clean_line(text))


def domain_of(email: str) -> str | None:
    """The domain of an address in its normal form, or None where it is none."""
    try:
        return normal_email(email).rpartition("@")[2]
    except ValueError:
        return None


def normal_domain(text: str) -> str:
    """A domain in its normal form, written with or without the @. Raises `ValueError` unless it is one."""
    domain = domain_of(f"x@{text.strip().removeprefix('@')}")
    if domain is None:
        raise ValueError(NO_DOMAIN)
    return domain


def _lower(text: str) -> str:
    return unicodedata.normalize("NFC", text.lower())
