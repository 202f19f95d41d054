from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, false, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, deleted_rows, utc_now

NO_PASSWORD = "!"
"""The hash of an account without a password: nothing matches it."""


class User(HasId, HasTimes, Base):
    """A person. `email` is stored in lower case; `password_hash` is Argon2's own encoded form, or `NO_PASSWORD`."""

    __tablename__ = "users"
    __table_args__ = (
        # Lists of everybody.
        Index("ix_users_created_at", "created_at", "id"),
        Index("ix_users_name_order", text("lower(name)"), "id"),
        deleted_rows("users"),
    )

    name: Mapped[str] = mapped_column(String(200))
    email: Mapped[str] = mapped_column(String(254), unique=True)
    password_hash: Mapped[str] = mapped_column(String(200))
    is_admin: Mapped[bool] = mapped_column(default=False)
    locale: Mapped[str] = mapped_column(String(10), default="en", server_default="en")
    """The language of mails, of sentences in events, and of pages."""
    email_verified_at: Mapped[datetime | None] = mapped_column()
    pending_email: Mapped[str | None] = mapped_column(String(254))
    """The address that replaces `email` once somebody opens the link that was sent there."""
    avatar_key: Mapped[str | None] = mapped_column(String(300))
    second_factor_at: Mapped[datetime | None] = mapped_column()
    """Since when a sign-in with the password takes a code too."""
    suspended_at: Mapped[datetime | None] = mapped_column()
    """Set while an organisation has turned the account off. Nobody can sign in with it; nothing is deleted."""
    deleted_at: Mapped[datetime | None] = mapped_column()
    """Set when the account is deleted. It can be restored for a while; until then nobody can sign in with it."""


class BrowserSession(Base):
    """One signed-in browser. Only the hash of its cookie is stored; `id` names it on pages and to the relay.

    `network` is the shortened address of its last sign-in. `last_used_at` is exact to a few minutes.
    """

    __tablename__ = "browser_sessions"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(unique=True, default=uuid.uuid4)
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    user_agent: Mapped[str] = mapped_column(String(300), default="", server_default="")
    network: Mapped[str] = mapped_column(String(64), default="", server_default="")
    last_used_at: Mapped[datetime] = mapped_column(default=utc_now)
    confirmed_at: Mapped[datetime | None] = mapped_column()
    """When the person last showed their identity provider who they are, for what needs it again."""
    browse_id: Mapped[uuid.UUID | None] = mapped_column()
    """Names one browse-as in the audit log. With the next three it is set while an administrator browses as somebody
    (`api/people/auth/browse_as.py`); `user_id` stays the administrator."""
    browse_user_id: Mapped[uuid.UUID | None] = mapped_column(index=True)
    browse_ends_at: Mapped[datetime | None] = mapped_column()
    browse_may_change: Mapped[bool] = mapped_column(default=False, server_default=false())
