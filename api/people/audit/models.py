from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, utc_now


class AuditEntry(HasId, Base):
    """Something a person did that others may have to account for. Never changed; outlives the people it names.

    `actor_id` is the account that acted: the administrator while browsing as somebody. `subject_id` is the account
    whose things were touched, `team_id` the team they belong to. Neither holds a foreign key, nor secrets in `details`.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("ix_audit_entries_subject_id_at", "subject_id", "at"),
        Index("ix_audit_entries_team_id_at", "team_id", "at"),
        Index("ix_audit_entries_action_at", "action", "at"),
        Index("ix_audit_entries_actor_id_at", "actor_id", "at"),
    )

    at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
    action: Mapped[str] = mapped_column(String(60))
    actor_id: Mapped[uuid.UUID | None] = mapped_column()
    actor_email: Mapped[str | None] = mapped_column(String(254))
    subject_id: Mapped[uuid.UUID | None] = mapped_column()
    team_id: Mapped[uuid.UUID | None] = mapped_column()
    object_kind: Mapped[str | None] = mapped_column(String(40))
    object_id: Mapped[str | None] = mapped_column(String(100))
    details: Mapped[dict[str, Any]] = mapped_column(default=dict)
    network: Mapped[str | None] = mapped_column(String(64))
    """The network address of the request, shortened as the sign-in limits shorten it."""
