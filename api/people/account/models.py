from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, utc_now


class PasswordReset(Base):
    """A link that sets a password, once. Only the hash of its token is stored.

    `user_id` is null when somebody asked for an address without an account: both cases do the same work.
    """

    __tablename__ = "password_resets"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column(index=True)


class EditorSettingsRow(Base):
    """How a person has set up the caption editor: the values of `EditorSettings` that are not the product's own."""

    __tablename__ = "editor_settings"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    settings: Mapped[dict[str, Any]] = mapped_column(default=dict)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)
