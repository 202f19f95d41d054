"""What is recorded, in one list. `sentences.py` says each in words."""

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

    USER_CREATED = "user.created"
    USER_UPDATED = "user.updated"
    USER_PROMOTED = "user.promoted"
    USER_DEMOTED = "user.demoted"
    USER_RESET_SENT = "user.reset_sent"
    USER_SIGNED_OUT = "user.signed_out"
    CONTRACT_SET = "contract.set"
    CONTRACT_ENDED = "contract.ended"
    GOODWILL_GRANTED = "goodwill.granted"
    COMPANY_CREATED = "company.created"
    COMPANY_UPDATED = "company.updated"
    COMPANY_DELETED = "company.deleted"
    COMPANY_RESTORED = "company.restored"
    COMPANY_USERS = "company.users"
    COMPANY_TEAMS = "company.teams"
    FILE_DELETED = "file.deleted"
    FILE_RESTORED = "file.restored"
    FILE_PURGED = "file.purged"
    TAG_DELETED = "tag.deleted"

    FILE_RETRIED = "file.retried"
    FILE_CANCELLED = "file.cancelled"
    MODEL_PULLED = "model.pulled"
    MODEL_REMOVED = "model.removed"
