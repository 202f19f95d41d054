from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import JSON, BigInteger, Float, ForeignKey, Index, String, Text, UniqueConstraint, false, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, JsonValue
from api.platform.db.search_words import words_of_text


class TrackOrigin(StrEnum):
    """How the lines of a track came to be."""

    TRANSCRIPTION = "transcription"
    TRANSLATION = "translation"
    IMPORT = "import"


_OptionalJson = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")
_IS_TRANSCRIPTION = text(f"origin = '{TrackOrigin.TRANSCRIPTION}'")


class CaptionTrack(HasId, HasTimes, Base):
    """The captions of a file in one language. `revision` counts saved changes; the lines are in `caption_lines`.

    A file has at most one transcription. A track made from another one names it in `source_track_id`, and in
    `source_revision` the newest revision it was translated from. `caption_links` says which line translates which.
    `notes` are sentences about the last translation. A deleted translation stays in step with its source until another
    one takes its language, so that it can be restored.
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
    formality: Mapped[str | None] = mapped_column(String(20))
    notes: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    profile: Mapped[str | None] = mapped_column(String(60))
    """The id of the quality profile that somebody chose; None where the language decides."""
    deleted_at: Mapped[datetime | None] = mapped_column()
    """The same for all translations that one call deleted."""


class CaptionLineRow(HasId, Base):
    """One line: a span over words. `words` is a list of `{start_ms,end_ms,text,confidence,origin}`, with `speaker` and
    `styles` where a word has its own.

    `speaker` is a canonical label such as `S1`; what the speaker is called stands in `speakers`.
    The words are `words_shift_ms` later than their stored times, so that a Shift of all lines rewrites no JSON.
    """

    __tablename__ = "caption_lines"
    __table_args__ = (Index("ix_caption_lines_track_id_start_ms", "track_id", "start_ms"),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    start_ms: Mapped[int] = mapped_column()
    end_ms: Mapped[int] = mapped_column()
    text: Mapped[str] = mapped_column(Text)
    search_text: Mapped[str] = mapped_column(Text, default=words_of_text, server_default="", deferred=True)
    """The words of `text` for the search. A text never changes in place: a change deletes a line and inserts it."""
    words: Mapped[list[Any]] = mapped_column(default=list)
    words_shift_ms: Mapped[int] = mapped_column(default=0, server_default="0")
    doubts: Mapped[list[Any]] = mapped_column(default=list)
    speaker: Mapped[str | None] = mapped_column(String(20))
    place: Mapped[dict[str, Any] | None] = mapped_column(_OptionalJson)
    """`{align,x,y}` of a `LinePlace`; empty at the bottom centre."""
    locked: Mapped[bool] = mapped_column(default=False, server_default=false())
    forced: Mapped[bool] = mapped_column(default=False, server_default=false())
    revision: Mapped[int] = mapped_column(default=0)
    written_by: Mapped[str | None] = mapped_column(String(10))
    """A `Writer` on translated tracks, like the two columns below; empty on others."""
    flags: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    log_probability: Mapped[float | None] = mapped_column(Float)


class CaptionLink(Base):
    """A line of a translation and one of the source lines it translates, in order of `position`.

    `text` is the source line's text as translated. `is_stale`: the source line says something else now. It is stored,
    because counting stale lines by their texts takes 0.2 s for 20 translations of 5,000 lines; `links.py`
    computes it in every transaction that writes either line. `source_id` has no foreign key: a change deletes a line
    and inserts it again under its id.
    """

    __tablename__ = "caption_links"
    __table_args__ = (
        Index("ix_caption_links_stale", "track_id", sqlite_where=text("is_stale"), postgresql_where=text("is_stale")),
    )

    target_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_lines.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"), index=True)
    source_id: Mapped[uuid.UUID] = mapped_column(index=True)
    text: Mapped[str] = mapped_column(Text)
    is_stale: Mapped[bool] = mapped_column(default=False)


class CaptionRevision(HasId, HasTimes, Base):
    """One saved change that can be undone: the touched lines before and after it, or the `moves` of all lines.

    Undo and Redo hold only the number of the change they take back or restore, in `step_of`. Old revisions are pruned
    (`pipelines.captions.limits`).
    """

    __tablename__ = "caption_revisions"
    __table_args__ = (
        UniqueConstraint("track_id", "number"),
        Index("ux_caption_revisions_track_id_command_id", "track_id", "command_id", unique=True),
        Index("ix_caption_revisions_follows", "follows_track_id", "follows_number"),
    )

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    reviewer_id: Mapped[uuid.UUID | None] = mapped_column()
    """Who made the change, if they have no account. Without a foreign key: reviewers end with the file."""
    action: Mapped[str] = mapped_column(String(20))
    before: Mapped[list[Any]] = mapped_column(default=list)
    after: Mapped[list[Any]] = mapped_column(default=list)
    label: Mapped[str | None] = mapped_column(String(200))
    """What a change of many lines is called in the history."""
    step_of: Mapped[int | None] = mapped_column()
    moves: Mapped[dict[str, Any] | None] = mapped_column(JsonValue)
    size_bytes: Mapped[int] = mapped_column(BigInteger, default=0, server_default="0")
    undone: Mapped[bool] = mapped_column(default=False)
    command_id: Mapped[uuid.UUID | None] = mapped_column()
    language_before: Mapped[str | None] = mapped_column(String(20))
    """Set, like `language_after`, when the change gave the captions another language."""
    language_after: Mapped[str | None] = mapped_column(String(20))
    follows_track_id: Mapped[uuid.UUID | None] = mapped_column()
    """Set, like `follows_number`, when this change keeps a translation in step with that change of its source."""
    follows_number: Mapped[int | None] = mapped_column()
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


class ReviewMark(HasId, HasTimes, Base):
    """A spot of a line that somebody found right in a review. `key` names the spot and the text it was in.

    No foreign key for the line: an undo that brings a merged line back brings its marks back too.
    """

    __tablename__ = "review_marks"
    __table_args__ = (UniqueConstraint("track_id", "line_id", "key"),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    line_id: Mapped[uuid.UUID] = mapped_column()
    key: Mapped[str] = mapped_column(String(200))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
