"""What is recorded, in one list. Pages show `SENTENCES`, with the details filled in."""

from __future__ import annotations

from enum import StrEnum


class AuditAction(StrEnum):
    """Named `subject.what happened`. A room adds its own here."""

    PASSWORD_CHANGED = "password.changed"
    PASSWORD_RESET = "password.reset"
    EMAIL_VERIFIED = "email.verified"
    ACCOUNT_DELETED = "account.deleted"
    ACCOUNT_RESTORED = "account.restored"

    BROWSE_AS_STARTED = "browse_as.started"
    BROWSE_AS_UNLOCKED = "browse_as.unlocked"
    BROWSE_AS_LOCKED = "browse_as.locked"
    BROWSE_AS_OPENED = "browse_as.opened"
    BROWSE_AS_CHANGED = "browse_as.changed"
    BROWSE_AS_ENDED = "browse_as.ended"
