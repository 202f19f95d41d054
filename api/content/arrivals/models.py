from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import TEAM_OWNERS, Owned
from api.platform.db.base import Base, HasId, HasTimes, JsonValue, new_slug, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type


class UploadStatus(StrEnum):
    """The upload statuses that clients see."""

    IDLE = "idle"
    WAITING = "waiting"
    UPLOADING = "uploading"
    UPLOADED = "uploaded"
    INCOMPLETE = "incomplete"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    FAILED = "failed"
    PROCESSING = "processing"


class Upload(HasId, HasTimes, Owned, Base):
    """An upload as its user sees it. `tus_id` is the row of `tus_uploads` that tracks the bytes."""

    __tablename__ = "uploads"
    __table_args__ = (Index("ix_uploads_user_id", "user_id"),)

    # An upload is driven by its uploader's page; a team's owner may still end it.
    changed_by = TEAM_OWNERS

    slug: Mapped[str] = mapped_column(String(20), unique=True, default=new_slug)
    tus_id: Mapped[str | None] = mapped_column(String(64), unique=True)
    tus_url: Mapped[str] = mapped_column(Text, default="")
    filename: Mapped[str] = mapped_column(Text)
    filetype: Mapped[str] = mapped_column(String(200), default="")
    filesize: Mapped[int | None] = mapped_column(BigInteger)
    language: Mapped[str] = mapped_column(String(20))
    detects_speakers: Mapped[bool] = mapped_column(default=False, server_default=false())
    status: Mapped[UploadStatus] = mapped_column(status_type(UploadStatus), default=UploadStatus.UPLOADING)
    is_displayed: Mapped[bool] = mapped_column(default=True)
    bytes_uploaded: Mapped[int] = mapped_column(BigInteger, default=0)
    error: Mapped[str | None] = mapped_column(MessageText)


class TusUpload(Base):
    """The durable record of the tus protocol. `length` is null while deferred; `offset` counts durable bytes.

    `concat` is the header as sent, for partial and final uploads. `storage_key` is the object a complete upload
    becomes, and `store_state` belongs to the store. The lock's lease is timed by the database's clock.
    """

    __tablename__ = "tus_uploads"

    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="SET NULL"))
    length: Mapped[int | None] = mapped_column(BigInteger)
    offset: Mapped[int] = mapped_column(BigInteger, default=0)
    upload_metadata: Mapped[dict[str, Any]] = mapped_column(default=dict)
    token_hash: Mapped[str | None] = mapped_column(String(64), index=True)
    concat: Mapped[str | None] = mapped_column(Text)
    store_state: Mapped[dict[str, Any] | None] = mapped_column(JsonValue)
    lock_owner: Mapped[str | None] = mapped_column(String(64), index=True)
    lock_until: Mapped[datetime | None] = mapped_column()
    lock_wanted: Mapped[bool] = mapped_column(default=False)
    storage_key: Mapped[str | None] = mapped_column(String(300))
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    completed_at: Mapped[datetime | None] = mapped_column()
    terminated_at: Mapped[datetime | None] = mapped_column()


class UploadToken(Base):
    """A token that may create one upload. Only its hash is stored.

    It ends with the browser session `session_hash`, which is null for a client without a session.
    """

    __tablename__ = "upload_tokens"

    token_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="SET NULL"))
    session_hash: Mapped[str | None] = mapped_column(String(64))
    expires_at: Mapped[datetime] = mapped_column(index=True)
    used_at: Mapped[datetime | None] = mapped_column()
