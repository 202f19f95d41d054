from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from api.content.ai_texts.models import AiTextStatus
from api.platform.db.base import Base, HasId, HasTimes
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type


class Proofreading(HasId, HasTimes, Base):
    """What a text model proposes to correct in a track. `content` is a `ProofreadResult` in JSON, once it is there.

    A track has one; a new one replaces it. Its statuses are those of AI texts.
    """

    __tablename__ = "proofreadings"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), index=True)
    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"), unique=True)
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    language: Mapped[str] = mapped_column(String(20))
    status: Mapped[AiTextStatus] = mapped_column(status_type(AiTextStatus), default=AiTextStatus.WAITING)
    progress: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(MessageText)
    content: Mapped[dict[str, Any]] = mapped_column(default=dict)
    job_id: Mapped[uuid.UUID | None] = mapped_column()
    """As in `AiText`: the job that writes it, or wrote it last."""
