from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, JsonValue, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type


class SpeechTask(StrEnum):
    TRANSCRIBE = "transcribe"
    TRANSLATE = "translate"
    """Transcribe, and then translate into English."""


class SpeechState(StrEnum):
    WORKING = "working"
    """Its jobs wait or run."""
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SpeechRequest(HasId, Owned, Base):
    """A call of the speech API while a program waits for its answer: the subject of its jobs, and no file.

    The row is deleted with the texts once the answer is on its way. `charged_seconds` counts in `charged_month` against
    the limit of the key `key_id`, which may have been revoked since.
    """

    __tablename__ = "speech_requests"
    __table_args__ = (Index("ix_speech_requests_user_id", "user_id"),)

    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    key_id: Mapped[uuid.UUID] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
    state: Mapped[SpeechState] = mapped_column(status_type(SpeechState), default=SpeechState.WORKING)
    task: Mapped[SpeechTask] = mapped_column(status_type(SpeechTask))
    language: Mapped[str] = mapped_column(String(20))
    """What is spoken, a code of the language lists: as requested, or `auto` until it is detected."""
    source_key: Mapped[str] = mapped_column(String(200))
    speakers: Mapped[dict[str, Any] | None] = mapped_column(JsonValue)
    """`WantedSpeakers` of a program that wants to know who speaks, None for others."""
    duration_ms: Mapped[int | None] = mapped_column(BigInteger)
    """None until the sound is decoded."""
    charged_month: Mapped[str | None] = mapped_column(String(7))
    charged_seconds: Mapped[int] = mapped_column(BigInteger, default=0)
    error: Mapped[str | None] = mapped_column(MessageText)
    """Why it failed, as a sentence."""
    error_code: Mapped[str | None] = mapped_column(String(60))
