"""A mail as it travels: headers, text and HTML."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import parseaddr
from typing import Any
from urllib.parse import urlsplit

from api.platform.http.text import clean_line
from api.platform.mail.rendering import CannotRender, render
from api.platform.settings import ApiSettings
from cluster.wording.message import Wording

LACKS = Wording("mail.lacks", "The mail lacks {name}.")
LETTERS_OF_A_NAME = 60
"""A name longer than this is left out of the header: some servers refuse long ones."""


def letter(payload: Mapping[str, Any], settings: ApiSettings) -> EmailMessage:
    """The message for a payload of the outbox. The same payload always gives the same `Message-ID`.

    Raises `CannotRender` for mails of another version.
    """
    try:
        kind, to, locale = str(payload["kind"]), str(payload["to"]), str(payload["locale"])
        mail_id, at = str(payload["id"]), datetime.fromisoformat(payload["at"])
    except (KeyError, ValueError) as error:
        raise CannotRender(LACKS(name=str(error))) from error
    rendered = render(kind, locale, payload, settings.base_url)
    sender = sender_of(settings)
    message = EmailMessage(policy=SMTP if to.isascii() else SMTPUTF8)
    message["From"] = sender
    message["To"] = _address(clean_line(str(payload.get("name", ""))), _ascii_domain(clean_line(to)))
    message["Subject"] = rendered.subject
    message["Date"] = at
    message["Message-ID"] = f"<{mail_id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(rendered.text, cte="quoted-printable")
    message.add_alternative(rendered.html, subtype="html", cte="quoted-printable")
    message["Content-Language"] = rendered.language
    return message


def sender_of(settings: ApiSettings) -> Address:
    if settings.mail_from is None:
        return Address("Sagascript", "no-reply", urlsplit(settings.base_url).hostname or "localhost")
    name, address = parseaddr(settings.mail_from)
    return _address(name, _ascii_domain(address))


def recipient_of(message: EmailMessage) -> str:
    to = message["To"].addresses[0]
    return f"{to.username}@{to.domain}"


def _address(name: str, address: str) -> Address:
    local, _, domain = address.rpartition("@")
    return Address(name if len(name) <= LETTERS_OF_A_NAME else "", local, domain)


def _ascii_domain(address: str) -> str:
    """The address with its domain as DNS knows it; accounts store the Unicode form."""
    local, _, domain = address.rpartition("@")
    return address if domain.isascii() else f"{local}@{domain.encode('idna').decode()}"
