"""Write an entry in the transaction of the change it records."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.audit.actions import AuditAction
from api.audit.models import AuditEntry


def record(
    session: AsyncSession,
    action: AuditAction,
    *,
    actor_id: uuid.UUID | None,
    actor_email: str | None = None,
    subject_id: uuid.UUID | None = None,
    team_id: uuid.UUID | None = None,
    object_kind: str | None = None,
    object_id: str | None = None,
    network: str | None = None,
    **details: Any,
) -> None:
    """Add an entry. `details` are values that JSON can hold, without secrets. `actor_id` is None for the system."""
    session.add(
        AuditEntry(
            action=action,
            actor_id=actor_id,
            actor_email=actor_email,
            subject_id=subject_id,
            team_id=team_id,
            object_kind=object_kind,
            object_id=object_id,
            details=details,
            network=network,
        )
    )
