"""Mail through a server, by SMTP.

`smtps://` speaks TLS from the start. `smtp://` changes to TLS if the server offers it; a password leaves this machine
only over TLS.
"""

from __future__ import annotations

from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import aiosmtplib
from aiosmtplib import SMTP

from api.platform.mail.letter import recipient_of, sender_of
from api.platform.settings import LOOPBACK, ApiSettings
from cluster.wording.message import Wording

SENDER_REFUSED = Wording(
    "mail.sender_refused", "The mail server refuses our sender ({code}). Check SAGASCRIPT_MAIL_FROM."
)
USER_REFUSED = Wording("mail.user_refused", "The mail server {host} refuses our user or password ({code}).")
BROKE = Wording("mail.broke", "The connection to the mail server broke ({failure}).")
CLOSES = Wording("mail.closes", "The mail server closes the connection ({answer}).")
TAKES_NOTHING = Wording("mail.takes_nothing", "The mail server {server} does not take mail ({failure}).")

TIMEOUT_S = 30.0
PORTS = {"smtp": 587, "smtps": 465}
SERVICE_CLOSES = 421
PERMANENT = 500


class MailUnavailable(Exception):
    """The server takes no mail now, whoever it is for. The text is a sentence."""


class MailDeferred(Exception):
    """The server does not take this mail now."""


class MailRefused(Exception):
    """The server will never take this mail."""


async def send(settings: ApiSettings, message: EmailMessage) -> None:
    """Hand one mail to the server. Raises the three errors above."""
    recipient = recipient_of(message)
    client = await _connect(settings)
    try:
        await client.send_message(message, sender=sender_of(settings).addr_spec, recipients=[recipient])
    except aiosmtplib.SMTPSenderRefused as error:
        raise MailUnavailable(SENDER_REFUSED(code=error.code)) from error
    except aiosmtplib.SMTPRecipientsRefused as error:
        raise _verdict(error.recipients[0].code, error.recipients[0].message, recipient) from error
    except aiosmtplib.SMTPResponseException as error:
        raise _verdict(error.code, error.message, recipient) from error
    except (aiosmtplib.SMTPException, OSError) as error:
        # The connection broke within this mail. Others may pass.
        raise MailDeferred(BROKE(failure=type(error).__name__)) from error
    finally:
        client.close()


async def greet(settings: ApiSettings) -> None:
    """Connect and sign in, without sending anything. Raises `MailUnavailable`."""
    client = await _connect(settings)
    client.close()


def _verdict(code: int, text: str, recipient: str) -> Exception:
    # Servers repeat the address, which does not belong into logs.
    sentence = f"{code} {' '.join(text.split())}".replace(recipient, "…")
    if code == SERVICE_CLOSES:
        return MailUnavailable(CLOSES(answer=sentence))
    return MailRefused(sentence) if code >= PERMANENT else MailDeferred(sentence)


async def _connect(settings: ApiSettings) -> SMTP:
    parts = urlsplit(settings.smtp_url or "")
    host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 25)
    user = unquote(parts.username) if parts.username else None
    needs_tls = parts.scheme == "smtp" and user is not None and host not in LOOPBACK
    client = SMTP(
        hostname=host,
        port=port,
        username=user,
        password=settings.smtp_password if user is not None else None,
        use_tls=parts.scheme == "smtps",
        # None takes TLS where it is offered.
        start_tls=True if needs_tls else None,
        timeout=TIMEOUT_S,
    )
    try:
        await client.connect()
    except aiosmtplib.SMTPAuthenticationError as error:
        raise MailUnavailable(USER_REFUSED(host=host, code=error.code)) from error
    except (aiosmtplib.SMTPException, OSError, ValueError) as error:
        failure = str(error) or type(error).__name__
        raise MailUnavailable(TAKES_NOTHING(server=f"{host}:{port}", failure=failure)) from error
    return client
