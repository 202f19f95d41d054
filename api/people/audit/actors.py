"""Who acted, as the people whose account or team it was read it: themselves, a colleague, support or the product."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.platform.http.pages.language import in_page_language
from cluster.wording.message import Message

YOU, SUPPORT, SYSTEM, SOMEBODY = (
    Message("audit.you", "You"),
    Message("audit.support", "Support"),
    "Sagascript",
    Message("audit.somebody", "Somebody else"),
)

AS_SUPPORT = "as_support"
"""The detail of what an administrator did with somebody's rights: whoever has the account may do the same."""

_OF_ADMINISTRATORS = ("browse_as.", "user.", "contract.", "goodwill.", "company.", "invoice.", "invoices.")
_OF_OWNER_OR_SUPPORT = frozenset(
    {
        AuditAction.ACCOUNT_DELETED,
        AuditAction.ACCOUNT_RESTORED,
        AuditAction.MINUTES_REFUNDED,
        AuditAction.MINUTES_CORRECTED,
        AuditAction.FILE_RETRIED,
        AuditAction.FILE_CANCELLED,
    }
)
"""Only the owner or an administrator can do these, no colleague."""


@dataclass(frozen=True, slots=True)
class Actor:
    """`is_reader`: it was the reader. `name` is what they read."""

    name: str
    is_reader: bool
    is_support: bool


def actor_of(entry: AuditEntry, actor_name: str | None, reader_id: uuid.UUID) -> Actor:
    """`actor_name` is that of the account that acted, None once it is gone."""
    if entry.actor_id is None:
        return Actor(entry.actor_email or SYSTEM, is_reader=False, is_support=False)
    if entry.actor_id == reader_id:
        return Actor(in_page_language(YOU), is_reader=True, is_support=False)
    if _is_support(entry.action, entry.details):
        support = in_page_language(SUPPORT)
        return Actor(f"{support} ({actor_name})" if actor_name else support, is_reader=False, is_support=True)
    return Actor(actor_name or in_page_language(SOMEBODY), is_reader=False, is_support=False)


def _is_support(action: str, details: Mapping[str, Any]) -> bool:
    return AS_SUPPORT in details or action in _OF_OWNER_OR_SUPPORT or action.startswith(_OF_ADMINISTRATORS)
