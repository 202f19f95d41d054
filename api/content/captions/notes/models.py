from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes


class CaptionNote(HasId, HasTimes, Base):
    """What somebody wrote about a line, or answered in the thread of the note `parent_id`.

    `line_id` has no foreign key: a change deletes a line and inserts it again under its id, and a note outlives its
    line. `line_text`, `start_ms` and `end_ms` say which line it was about when it was written. When lines are merged
    the note goes to the line that is left, and back to `first_line_id` when that line returns. `as_support`: an
    administrator wrote it while browsing as its author.
    """

    __tablename__ = "caption_notes"
    __table_args__ = (Index("ix_caption_notes_track_id", "track_id", "created_at"),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    parent_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("caption_notes.id", ondelete="CASCADE"), index=True)
    line_id: Mapped[uuid.UUID] = mapped_column()
    first_line_id: Mapped[uuid.UUID] = mapped_column()
    line_text: Mapped[str] = mapped_column(Text)
    start_ms: Mapped[int] = mapped_column()
    end_ms: Mapped[int] = mapped_column()
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    reviewer_id: Mapped[uuid.UUID | None] = mapped_column()
    """Who wrote it, if they have no account. Without a foreign key: reviewers end with the file."""
    as_support: Mapped[bool] = mapped_column(default=False)
    text: Mapped[str] = mapped_column(Text)
    edited_at: Mapped[datetime | None] = mapped_column()
    resolved_at: Mapped[datetime | None] = mapped_column()
    """Of the first note of a thread."""
    resolved_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
