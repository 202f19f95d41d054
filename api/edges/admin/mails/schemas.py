from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from api.platform.http.paging import PageQuery
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.outgoing import link_ends_at


class MailState(StrEnum):
    WAITING = "waiting"
    """Not tried yet, or the mail server was away or put it off: it is tried again by itself."""
    FAILED = "failed"


class MailQuery(PageQuery):
    state: MailState | None = None


class UnsentMail(BaseModel):
    """A mail that has not left, without its text and links. `kind` is its name in words.

    `error` is what the mail server said last. `next_at` is null for the next possible moment. After `expires_at` the
    link in it is useless.
    """

    id: str
    to: str
    kind: PageText
    state: MailState
    created_at: datetime
    failed_at: datetime | None
    next_at: datetime | None
    expires_at: datetime | None
    attempts: int
    error: PageText | None


def kind_of(payload: dict[str, Any]) -> str:
    return str(payload.get("kind", "unknown")).replace("_", " ").capitalize()


def describe(message: OutboxMessage) -> UnsentMail:
    has_failed = message.failed_at is not None
    return UnsentMail(
        id=str(message.id),
        to=str(message.payload.get("to", "")),
        kind=kind_of(message.payload),
        state=MailState.FAILED if has_failed else MailState.WAITING,
        created_at=message.created_at,
        failed_at=message.failed_at,
        next_at=None if has_failed else message.not_before,
        expires_at=link_ends_at(message.payload),
        attempts=message.attempts,
        error=message.error,
    )
