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
    FILE_DELETED = "file.deleted"
    FILE_RESTORED = "file.restored"
    FILE_PURGED = "file.purged"
    TAG_DELETED = "tag.deleted"
