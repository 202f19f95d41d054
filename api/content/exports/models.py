from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, String, false
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.messages.export_form import ExportMode

__all__ = ["NOTICE", "Export", "ExportMode", "ExportStatus"]


class ExportStatus(StrEnum):
    """The life of an export. These words are part of the API."""

    COMPLETE = "complete"
    PROGRESSING = "progressing"
    SUBMITTED = "submitted"
    CANCELED = "canceled"
    ERROR = "error"


NOTICE = "notice"


class Export(HasId, HasTimes, Base):
    """One rendering of a file with a caption track. `revision` is the revision of the captions it shows."""

    __tablename__ = "exports"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), index=True)
    track_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("caption_tracks.id", ondelete="SET NULL"), index=True)
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    language: Mapped[str] = mapped_column(String(20))
    mode: Mapped[str] = mapped_column(String(20), default=ExportMode.BURNED)
    speakers: Mapped[str] = mapped_column(String(10), default=SpeakerStyle.NONE, server_default=SpeakerStyle.NONE)
    """How the captions show who speaks."""
    revision: Mapped[int] = mapped_column(default=0)
    form: Mapped[dict[str, Any] | None]
    """The settings, languages and `NOTICE`; None for exports of earlier versions."""
    form_key: Mapped[str] = mapped_column(String(64), default="", server_default="")
    """A digest of everything that the file shows: equal exports are made once."""
    status: Mapped[ExportStatus] = mapped_column(status_type(ExportStatus), default=ExportStatus.SUBMITTED)
    progress: Mapped[int] = mapped_column(default=0)
    error: Mapped[str | None] = mapped_column(MessageText)
    export_key: Mapped[str | None] = mapped_column(String(300))
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    keeps_parts: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether encoded parts are stored for the next export of the file."""
