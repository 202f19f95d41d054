from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from api.platform.http.paging import PageQuery
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.outgoing import link_ends_at
from cluster.wording.message import Message


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


KINDS = {
    "account_deleted": Message("mails.kind.account_deleted", "Account deleted"),
    "email_change_requested": Message("mails.kind.email_change_requested", "Email change requested"),
    "password_changed": Message("mails.kind.password_changed", "Password changed"),
    "second_factor_changed": Message("mails.kind.second_factor_changed", "Codes at sign-in turned on or off"),
    "passkey_added": Message("mails.kind.passkey_added", "New passkey"),
    "identity_linked": Message("mails.kind.identity_linked", "New way to sign in"),
    "payment_failed": Message("mails.kind.payment_failed", "Payment failed"),
    "reset_password": Message("mails.kind.reset_password", "Reset password"),
    "team_invitation": Message("mails.kind.team_invitation", "Team invitation"),
    "removed_from_team": Message("mails.kind.removed_from_team", "Removed from team"),
    "team_deleted": Message("mails.kind.team_deleted", "Team deleted"),
    "trial": Message("mails.kind.trial", "Trial"),
    "verify_email": Message("mails.kind.verify_email", "Verify email"),
    "webhook_failing": Message("mails.kind.webhook_failing", "Webhook failing"),
    "webhook_turned_off": Message("mails.kind.webhook_turned_off", "Webhook turned off"),
    "welcome": Message("mails.kind.welcome", "Welcome"),
    "unknown": Message("mails.kind.unknown", "Unknown"),
}


def kind_of(payload: dict[str, Any]) -> str:
    """The kind of a mail in words; `email_verified` of another version as `Email verified`."""
    kind = str(payload.get("kind", "unknown"))
    return KINDS.get(kind) or kind.replace("_", " ").capitalize()


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
