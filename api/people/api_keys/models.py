from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import TEAM_OWNERS, Owned
from api.people.teams.models import TeamRole
from api.platform.db.base import Base, HasId, utc_now


class ApiKey(HasId, Owned, Base):
    """A secret by which a program acts for the person who made it; with a `team_id`, for that team.

    Only the hash of the secret is stored; `prefix` is how lists name it. Revoking a key deletes its row. `used_seconds`
    is what calls of the month `used_month` have reserved and used.
    """

    __tablename__ = "api_keys"
    __table_args__ = (Index("ix_api_keys_user_id", "user_id"),)
    changed_by: ClassVar[frozenset[TeamRole]] = TEAM_OWNERS

    # Not SET NULL: a key of a deleted team must not turn into one of the person alone.
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(100))
    prefix: Mapped[str] = mapped_column(String(20))
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)
    scopes: Mapped[list[Any]] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime | None] = mapped_column(index=True)
    last_used_at: Mapped[datetime | None] = mapped_column()
    """Exact to a minute."""
    requests_minute: Mapped[int] = mapped_column()
    seconds_month: Mapped[int | None] = mapped_column(BigInteger)
    """Seconds of sound that calls with this key may use in a calendar month; None for as many as the plan has."""
    used_month: Mapped[str | None] = mapped_column(String(7))
    used_seconds: Mapped[int] = mapped_column(BigInteger, default=0)
