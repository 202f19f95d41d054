from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type


class AiTextStatus(StrEnum):
    """The life of an AI text. These words are part of the API."""

    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


class VersionKind(StrEnum):
    """How a version of a text came to be."""

    WRITTEN = "written"
    """By the engine."""
    EDITED = "edited"
    RESTORED = "restored"
    """A person brought an earlier version back."""


class AiText(HasId, HasTimes, Base):
    """A text of one type in one language about a file. `version` is the number of the one to show, 0 for none yet.

    A text that is written again keeps its version until the new one is whole.
    """

    __tablename__ = "ai_texts"
    __table_args__ = (UniqueConstraint("file_id", "type", "language"),)

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    type: Mapped[str] = mapped_column(String(20))
    language: Mapped[str] = mapped_column(String(20))
    status: Mapped[AiTextStatus] = mapped_column(status_type(AiTextStatus), default=AiTextStatus.WAITING)
    progress: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(MessageText)
    version: Mapped[int] = mapped_column(default=0)
    job_id: Mapped[uuid.UUID | None] = mapped_column()
    """The job that writes it, or wrote it last. What any other job reports is out of date. No foreign key, as jobs are
    locked before everything else."""


class AiTextVersion(HasId, HasTimes, Base):
    """One state of a text. `content` is a `Content`, `engine` the record of the engine that wrote it."""

    __tablename__ = "ai_text_versions"
    __table_args__ = (UniqueConstraint("ai_text_id", "number"),)

    ai_text_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("ai_texts.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    kind: Mapped[str] = mapped_column(String(20))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    content: Mapped[dict[str, Any]] = mapped_column()
    engine: Mapped[dict[str, Any]] = mapped_column(default=dict)
