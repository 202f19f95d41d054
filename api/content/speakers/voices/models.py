from __future__ import annotations

import uuid

from sqlalchemy import ForeignKey, LargeBinary, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes


class SpeakerVoice(HasId, HasTimes, Base):
    """How a detected speaker of a file sounds, where the file's team knows voices. It is biometric data.

    `embedding` is a unit vector of 16-bit floats, little-endian, which compares with others of its `model`. A label
    means another person after an undo or another detection, so the row has the speaker's sample of its own detection:
    it counts while the speaker has the same one. `is_dismissed`: a person said that it is not who it sounds like.
    """

    __tablename__ = "speaker_voices"
    __table_args__ = (UniqueConstraint("file_id", "label"),)

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    label: Mapped[str] = mapped_column(String(20))
    model: Mapped[str] = mapped_column(String(300))
    embedding: Mapped[bytes] = mapped_column(LargeBinary)
    spoken_ms: Mapped[int] = mapped_column()
    sample_start_ms: Mapped[int | None] = mapped_column()
    sample_end_ms: Mapped[int | None] = mapped_column()
    is_dismissed: Mapped[bool] = mapped_column(default=False, server_default=false())
