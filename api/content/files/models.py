from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column, validates

from api.people.access.owned import Restorable
from api.platform.db.base import Base, HasId, HasTimes, deleted_rows, new_slug, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.search_words import search_text
from api.platform.db.transitions import status_type


class FileStatus(StrEnum):
    """The life of a file. These words are part of the API."""

    WAITING = "waiting"
    UPLOADING = "uploading"
    PROCESSING = "processing"
    FAILED = "failed"
    TRANSCRIBING = "transcribing"
    LIVE = "live"
    """It is being recorded. Its captions can be changed meanwhile."""
    COMPLETED = "completed"
    ABANDONED = "abandoned"


class FileKind(StrEnum):
    VIDEO = "video"
    AUDIO = "audio"
    DOCUMENT = "document"
    IMAGE = "image"
    OTHER = "other"


class File(HasId, HasTimes, Restorable, Base):
    """The processed video or audio, addressed by `slug`. Keys name stored objects; durations are in milliseconds."""

    __tablename__ = "files"
    __table_args__ = (
        Index("ix_files_user_id_created_at", "user_id", "created_at"),
        # Lists of everybody's files: in every order, and by what they are.
        Index("ix_files_created_at", "created_at", "id", "status", "kind", "language", "deleted_at", "user_id"),
        Index(
            "ix_files_failed",
            "updated_at",
            sqlite_where=text("status = 'failed'"),
            postgresql_where=text("status = 'failed'"),
        ),
        Index("ix_files_kind_status", "kind", "status", "language", "deleted_at"),
        # Its collation (`name_order.py`) stands in the migration: reflection leaves it out.
        Index("ix_files_name_order", text("lower(name)")),
        Index("ix_files_duration_ms", "duration_ms"),
        Index("ix_files_size_bytes", "size_bytes"),
        deleted_rows("files"),
    )

    slug: Mapped[str] = mapped_column(String(20), unique=True, default=new_slug)
    upload_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("uploads.id", ondelete="SET NULL"), index=True)
    name: Mapped[str] = mapped_column(Text)
    search_text: Mapped[str] = mapped_column(Text, default="", server_default="", deferred=True)
    """The words of `name` for the search."""
    filename: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(20), default=FileKind.OTHER)
    status: Mapped[FileStatus] = mapped_column(status_type(FileStatus), default=FileStatus.WAITING)
    progress: Mapped[int] = mapped_column(default=0)
    phase: Mapped[str] = mapped_column(String(40), default="")
    error: Mapped[str | None] = mapped_column(MessageText)
    error_code: Mapped[str | None] = mapped_column(String(40))
    """Pages decide by this when they must do more than show `error`. Empty where the sentence is enough."""
    language: Mapped[str] = mapped_column(String(20))
    size_bytes: Mapped[int | None] = mapped_column(BigInteger)
    duration_ms: Mapped[int | None] = mapped_column(BigInteger)
    width: Mapped[int | None] = mapped_column()
    height: Mapped[int | None] = mapped_column()
    facts: Mapped[dict[str, Any]] = mapped_column(default=dict)
    original_key: Mapped[str] = mapped_column(String(300))
    audio_key: Mapped[str | None] = mapped_column(String(300))
    channels_key: Mapped[str | None] = mapped_column(String(300))
    """How loud each channel is over time, where each speaker has a channel."""
    peaks_key: Mapped[str | None] = mapped_column(String(300))
    spectrogram_key: Mapped[str | None] = mapped_column(String(300))
    poster_key: Mapped[str | None] = mapped_column(String(300))
    playback_key: Mapped[str | None] = mapped_column(String(300))
    plays_in_browser: Mapped[bool] = mapped_column(default=False)
    detects_speakers: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether each transcription is followed by a detection of speakers."""
    speaker_count: Mapped[int | None] = mapped_column()
    """How many people speak, where somebody said so."""
    engine: Mapped[str | None] = mapped_column(String(100))
    engine_note: Mapped[str | None] = mapped_column(MessageText)

    kept_since: Mapped[datetime | None] = mapped_column()
    """When the file came into its team or out of the bin, from when the team's days count. None: when it was added."""

    programme_start: Mapped[str | None] = mapped_column(String(11))
    """The time address of the first frame that somebody set, in place of the file's own."""

    @validates("name")
    def _index_name(self, _key: str, name: str) -> str:
        self.search_text = search_text(name)
        return name

    @property
    def fps(self) -> float | None:
        """Frames per second from the probe; None for sound."""
        return (self.facts.get("video") or {}).get("fps") or None

    @property
    def timecode(self) -> str | None:
        """The time address of the first frame, as set or from the probe; None where there is none."""
        return self.programme_start or (self.facts.get("video") or {}).get("timecode") or None


OBJECT_KEYS = (
    File.original_key,
    File.audio_key,
    File.channels_key,
    File.peaks_key,
    File.spectrogram_key,
    File.poster_key,
    File.playback_key,
)
"""The columns that name stored objects of a file."""


class FileShots(Base):
    """Where the picture of a file cuts: times in milliseconds, ascending. Without a row nobody has looked for them.

    A table of its own, because lists of files read every column of `files`, and a film has 2,000 shots.
    """

    __tablename__ = "file_shots"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), primary_key=True)
    shots_ms: Mapped[list[Any]] = mapped_column(default=list)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
