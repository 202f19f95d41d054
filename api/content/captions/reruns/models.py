from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes


class CaptionProposal(HasId, HasTimes, Base):
    """What transcribing parts of a file again found, until somebody has decided about it.

    `spans` are the parts as pairs of milliseconds, `words` the new words as caption lines store theirs. The id is
    that of the job. A track has at most one: the next takes its place.
    """

    __tablename__ = "caption_proposals"
    __table_args__ = (Index("ux_caption_proposals_track_id", "track_id", unique=True),)

    track_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("caption_tracks.id", ondelete="CASCADE"))
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    spans: Mapped[list[Any]] = mapped_column(default=list)
    words: Mapped[list[Any]] = mapped_column(default=list)
