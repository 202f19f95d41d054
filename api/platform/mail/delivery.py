"""Mails on their way from the outbox to a mail server, or into a folder where none is set."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import structlog

from api.platform.jobs.sending.outbox_sender import Deferred, Delivery, Refused, Undelivered
from api.platform.mail.folder import write_letter
from api.platform.mail.letter import letter
from api.platform.mail.outgoing import MAIL
from api.platform.mail.rendering import CannotRender
from api.platform.mail.smtp import MailDeferred, MailRefused, MailUnavailable, send
from api.platform.settings import ApiSettings

log = structlog.get_logger(__name__)

POLL_S = 0.5
RETRY_S = (2.0, 10.0, 60.0, 300.0)
"""Pauses while the server takes no mail at all."""
DEFER_S = (60.0, 300.0, 900.0, 3600.0, 3 * 3600.0, 8 * 3600.0, 12 * 3600.0)
"""Pauses of a mail that the server puts off, a day in all."""


def mail_delivery(settings: ApiSettings, *, defer_s: tuple[float, ...] = DEFER_S) -> Delivery:
    """One mail at a time, so that no mail waits for another. Sent mails leave the outbox: they hold working links."""

    async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
        for payload in payloads:
            await _deliver(settings, payload)

    return Delivery(
        MAIL,
        deliver,
        batch=1,
        poll_s=POLL_S,
        retry_s=RETRY_S,
        defer_s=defer_s,
        keeps_sent=False,
        notes_errors=True,
    )


async def _deliver(settings: ApiSettings, payload: dict[str, Any]) -> None:
    try:
        message = letter(payload, settings)
        if settings.sends_mail:
            await send(settings, message)
        else:
            await asyncio.to_thread(write_letter, settings.mail_dir, payload, message)
    except MailRefused as error:
        log.error("mail.refused", kind=payload["kind"], mail_id=payload["id"], error=str(error))
        raise Refused(str(error)) from error
    except (MailDeferred, CannotRender) as error:
        raise Deferred(str(error)) from error
    except (MailUnavailable, OSError) as error:
        raise Undelivered(str(error)) from error
    else:
        log.info("mail.sent", kind=payload["kind"], mail_id=payload["id"])
