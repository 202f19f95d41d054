from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes


class Invitation(HasId, HasTimes, Base):
    """An offer to join a team, for the person who reads the mail to `email`. Only the hash of its token is stored.

    `accepted_at` closes it; a withdrawn or declined one has no row.
    """

    __tablename__ = "invitations"
    __table_args__ = (
        Index(
            "uq_invitations_open",
            "team_id",
            "email",
            unique=True,
            sqlite_where=text("accepted_at IS NULL"),
            postgresql_where=text("accepted_at IS NULL"),
        ),
    )

    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    email: Mapped[str] = mapped_column(String(254), index=True)
    role: Mapped[str] = mapped_column(String(20))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    inviter_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    sent_at: Mapped[datetime] = mapped_column()
    expires_at: Mapped[datetime] = mapped_column(index=True)
    accepted_at: Mapped[datetime | None] = mapped_column()
