from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from api.db.base import Base, HasId, HasTimes, JsonValue


class TrackOrigin(StrEnum):
    """How the lines of a track came to be."""

    TRANSCRIPTION = "transcription"
    TRANSLATION = "translation"
    IMPORT = "import"


_IS_TRANSCRIPTION = text(f"origin = '{TrackOrigin.TRANSCRIPTION}'")


class CaptionTrack(HasId, HasTimes, Base):
    """The captions of a file in one language. `revision` counts saved changes; the lines are in `caption_lines`.

    A file has at most one transcription. A track made from another one names it in `source_track_id`, and in
    `source_revision` the revision it was made from: it is out of date when its source has a newer one.
    """

    __tablename__ = "caption_tracks"
    __table_args__ = (
        UniqueConstraint("file_id", "language"),
        Index(
            "ux_caption_tracks_transcription",
            "file_id",
            unique=True,
            sqlite_where=_IS_TRANSCRIPTION,
            postgresql_where=_IS_TRANSCRIPTION,
        ),
    )

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    language: Mapped[str] = mapped_column(String(20))
    origin: Mapped[str] = mapped_column(String(20))
    source_track_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("caption_tracks.id", ondelete="SET NULL"), index=True
    )
    source_revision: Mapped[int | None] = mapped_column()
    revision: Mapped[int] = mapped_column(default=0)
    engine: Mapped[dict[str, Any]] = mapped_column(default=dict)


class CaptionLineRow(HasId, Base):
    """One line: a span over words. `words` is a list of `{start_ms,end_ms,text,confidence,origin}`.

    `speaker` is a canonical label such as `S1`; what the speaker is called stands in `speakers`.
    The words are `words_shift_ms` later than their stored times, so that a Shift of all lines rewrites no JSON.
    """

    __tablename__ = "caption_lines"
    __table_args__ = (Index("ix_caption_lines_track_id_start_ms", "track_id", "start_ms"),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    start_ms: Mapped[int] = mapped_column()
    end_ms: Mapped[int] = mapped_column()
    text: Mapped[str] = mapped_column(Text)
    words: Mapped[list[Any]] = mapped_column(default=list)
    words_shift_ms: Mapped[int] = mapped_column(default=0, server_default="0")
    doubts: Mapped[list[Any]] = mapped_column(default=list)
    speaker: Mapped[str | None] = mapped_column(String(20))
    revision: Mapped[int] = mapped_column(default=0)


class CaptionRevision(HasId, HasTimes, Base):
    """One saved change that can be undone: the touched lines before and after it, or the `moves` of all lines.

    Undo and Redo hold only the number of the change they take back or restore, in `step_of`. Old revisions are pruned
    (`pipelines.captions.limits`).
    """

    __tablename__ = "caption_revisions"
    __table_args__ = (
        UniqueConstraint("track_id", "number"),
        Index("ux_caption_revisions_track_id_command_id", "track_id", "command_id", unique=True),
    )

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    action: Mapped[str] = mapped_column(String(20))
    before: Mapped[list[Any]] = mapped_column(default=list)
    after: Mapped[list[Any]] = mapped_column(default=list)
    step_of: Mapped[int | None] = mapped_column()
    moves: Mapped[dict[str, Any] | None] = mapped_column(JsonValue)
    size_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    undone: Mapped[bool] = mapped_column(default=False)
    command_id: Mapped[uuid.UUID | None] = mapped_column()
    language_before: Mapped[str | None] = mapped_column(String(20))
    """Set, like `language_after`, when the change gave the captions another language."""
    language_after: Mapped[str | None] = mapped_column(String(20))
    speakers_before: Mapped[list[Any] | None] = mapped_column(JsonValue)
    """The file's speakers before and after a change of their names, set together."""
    speakers_after: Mapped[list[Any] | None] = mapped_column(JsonValue)


class Speaker(HasId, Base):
    """Somebody who speaks in a file. Lines hold the `label`; a `name` of None shows as "Speaker 1".

    `colour` is an index into the page's palette. The sample is the part of the sound that shows the voice best.
    """

    __tablename__ = "speakers"
    __table_args__ = (UniqueConstraint("file_id", "label"),)

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    label: Mapped[str] = mapped_column(String(20))
    name: Mapped[str | None] = mapped_column(Text)
    colour: Mapped[int] = mapped_column()
    sample_start_ms: Mapped[int | None] = mapped_column()
    sample_end_ms: Mapped[int | None] = mapped_column()
