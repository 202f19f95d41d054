from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import Transitions, status_type


class LiveState(StrEnum):
    OPEN = "open"
    """Sound may come."""
    ENDED = "ended"
    """No sound will come. What is there is still read and kept."""


class LiveSession(Base):
    """A recording that is transcribed while it is made. Its sound is in the journal of its file.

    `pieces` counts the acknowledged pieces of sound, and `source` is the page or program that may send the next one.
    `reserved_s` are seconds of the plan; at `ends_at_ms` of sound the recording ends by itself, because of `ends_why`.
    """

    __tablename__ = "live_sessions"
    __table_args__ = (
        Index(
            "ix_live_sessions_open",
            "sound_at",
            sqlite_where=text("state = 'open'"),
            postgresql_where=text("state = 'open'"),
        ),
    )

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), primary_key=True)
    state: Mapped[LiveState] = mapped_column(status_type(LiveState), default=LiveState.OPEN)
    source: Mapped[uuid.UUID] = mapped_column()
    pieces: Mapped[int] = mapped_column(default=0)
    reserved_s: Mapped[int] = mapped_column()
    ends_at_ms: Mapped[int] = mapped_column()
    ends_why: Mapped[str | None] = mapped_column(MessageText)
    translate_to: Mapped[list[Any]] = mapped_column(default=list)
    """Languages into which its captions are translated while it is made."""
    watch_token: Mapped[str | None] = mapped_column(String(40), unique=True)
    """The last part of the address at which anybody may read along; None while nobody may."""
    began_at: Mapped[datetime] = mapped_column(default=utc_now)
    sound_at: Mapped[datetime] = mapped_column(default=utc_now)
    """When the last piece came."""


LIVE_STATE = Transitions(
    LiveSession, LiveSession.state, {LiveState.OPEN: frozenset({LiveState.ENDED}), LiveState.ENDED: frozenset()}
)
