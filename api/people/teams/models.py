from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, deleted_rows


class TeamRole(StrEnum):
    """Viewers see what the team has and change none of it."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"

    @property
    def rank(self) -> int:
        """Higher for roles with more rights."""
        return {TeamRole.VIEWER: 0, TeamRole.EDITOR: 1, TeamRole.OWNER: 2}[self]


class Team(HasId, HasTimes, Base):
    __tablename__ = "teams"
    __table_args__ = (deleted_rows("teams"),)

    name: Mapped[str] = mapped_column(String(200))
    language: Mapped[str | None] = mapped_column(String(20))
    """The language that pages offer first for uploads into the team."""
    payer_id: Mapped[uuid.UUID | None] = mapped_column(index=True)
    """The user whose plan or contract pays for what the team does. Without a foreign key: SQLite would have to make the
    table anew, which empties the columns of files that refer to it."""
    requires_factor: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether its members need an authenticator app, unless they sign in without a password."""
    session_hours: Mapped[int | None] = mapped_column()
    """Hours after which its members sign in again, however much they work. None for no limit of the team's."""
    email_domains: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    """Only people with an address of these domains are invited and may join; anybody when empty."""
    keep_days: Mapped[int | None] = mapped_column()
    """Days after which its files go to the bin by themselves. None keeps them."""
    knows_voices: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether voices that its members named are known in its other files."""
    deleted_at: Mapped[datetime | None] = mapped_column()

    @property
    def is_active(self) -> bool:
        """Whether one can work for it. A deleted team stays for a while, so that its owner can restore it."""
        return self.deleted_at is None


class Membership(HasTimes, Base):
    __tablename__ = "memberships"

    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(20), default=TeamRole.EDITOR)
    provider: Mapped[str | None] = mapped_column(String(40))
    """The identity provider whose groups put the person here, and may take them out again."""


def is_open() -> ColumnElement[bool]:
    """The teams that count: those that are not deleted."""
    return Team.deleted_at.is_(None)
