from __future__ import annotations

import uuid

from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes


class CaptionSnapshot(HasId, HasTimes, Base):
    """All lines of a track as they were after its revision `revision`, kept longer than the history of changes.

    `lines` is compressed JSON (`captions/revision_lines.py`). An automatic one was taken before the change of many
    lines that `name` describes.
    """

    __tablename__ = "caption_snapshots"
    __table_args__ = (UniqueConstraint("track_id", "revision"),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    revision: Mapped[int] = mapped_column()
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    name: Mapped[str] = mapped_column(String(200))
    is_automatic: Mapped[bool] = mapped_column(default=False)
    lines: Mapped[str] = mapped_column(Text, deferred=True)
    size_bytes: Mapped[int] = mapped_column(BigInteger, default=0)
