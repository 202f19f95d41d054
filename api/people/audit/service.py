"""Write an entry in the transaction of the change it records."""

from __future__ import annotations

import uuid
from typing import Any, Protocol, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.audit.actions import AuditAction
from api.people.audit.actors import AS_SUPPORT
from api.people.audit.models import AuditEntry
from api.people.users.models import User
from api.platform.jobs.models import OutboxMessage

ENTRY = "audit.entry"
"""The topic of messages that name a new entry, for the process's log and for webhooks."""


class Acting(Protocol):
    """Whoever makes a request, as far as an entry needs it. `api.people.auth.viewer.Viewer` is one."""

    @property
    def user_id(self) -> uuid.UUID: ...

    @property
    def admin_id(self) -> uuid.UUID | None: ...

    @property
    def network(self) -> str | None: ...


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
    """Add an entry. `details` are values that JSON can hold, without secrets. `actor_id` is None for the system.

    The database fills in the actor's address when it is not given.
    """
    address: Any = actor_email
    if actor_id is not None and actor_email is None:
        address = select(User.email).where(User.id == actor_id).scalar_subquery()
    entry_id = uuid.uuid4()
    session.add(OutboxMessage(topic=ENTRY, payload={"id": str(entry_id)}))
    session.add(
        AuditEntry(
            id=entry_id,
            action=action,
            actor_id=actor_id,
            actor_email=cast("str | None", address),
            subject_id=subject_id,
            team_id=team_id,
            object_kind=object_kind,
            object_id=object_id,
            details=details,
            network=network,
        )
    )


def record_for(
    session: AsyncSession,
    viewer: Acting,
    action: AuditAction,
    *,
    subject_id: uuid.UUID | None = None,
    team_id: uuid.UUID | None = None,
    object_kind: str | None = None,
    object_id: str | None = None,
    **details: Any,
) -> None:
    """Add an entry for what a viewer does. The actor is the administrator while they browse as somebody.

    The subject is the viewer's own account unless another is given.
    """
    record(
        session,
        action,
        actor_id=viewer.admin_id or viewer.user_id,
        subject_id=subject_id or viewer.user_id,
        team_id=team_id,
        object_kind=object_kind,
        object_id=object_id,
        network=viewer.network,
        **(details if viewer.admin_id is None else {**details, AS_SUPPORT: True}),
    )
