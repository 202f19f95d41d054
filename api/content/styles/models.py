from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, HasTimes, JsonValue


class CaptionStyleRow(HasId, HasTimes, Owned, Base):
    """A named caption style of a person or a team. `is_default`: files of this owner have it unless they chose one."""

    __tablename__ = "caption_styles"
    __table_args__ = (Index("ix_caption_styles_user_id", "user_id"),)

    name: Mapped[str] = mapped_column(String(100))
    style: Mapped[dict[str, Any]] = mapped_column(JsonValue)
    is_default: Mapped[bool] = mapped_column(default=False)


class FileStyle(HasTimes, Base):
    """The caption style of a file. `preset_id` names the preset that it came from, also after changes of its own."""

    __tablename__ = "file_styles"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), primary_key=True)
    preset_id: Mapped[str | None] = mapped_column(String(40))
    style: Mapped[dict[str, Any]] = mapped_column(JsonValue)
