from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, utc_now
from api.platform.db.transitions import status_type


class ReviewRights(StrEnum):
    """What a link lets people do with the captions of one file; each includes those before it."""

    VIEW = "view"
    COMMENT = "comment"
    EDIT = "edit"


class ReviewLink(HasId, HasTimes, Base):
    """A link by which people without an account see the captions of one file.

    It can do no more than `user_id`, who made it, can do now. `secret_hash` is the SHA-256 of what the link has behind
    its `#`, and `sealed_secret` lets those who may change the file copy the link again.
    """

    __tablename__ = "review_links"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), index=True)
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    rights: Mapped[ReviewRights] = mapped_column(status_type(ReviewRights))
    secret_hash: Mapped[str] = mapped_column(String(64))
    sealed_secret: Mapped[str] = mapped_column(Text)
    password_hash: Mapped[str | None] = mapped_column(String(200))
    expires_at: Mapped[datetime] = mapped_column()
    revoked_at: Mapped[datetime | None] = mapped_column()


class Reviewer(HasId, Base):
    """Somebody without an account who opened a review link, under the name they gave. One browser, one row.

    Their notes and changes name this row. `token_hash` is the hash of their cookie. `seen_at` is exact to a few
    minutes.
    """

    __tablename__ = "reviewers"

    link_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("review_links.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    entered_at: Mapped[datetime] = mapped_column(default=utc_now)
    seen_at: Mapped[datetime] = mapped_column(default=utc_now)
