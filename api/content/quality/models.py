from __future__ import annotations

from typing import Any

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, HasTimes
from pipelines.captions.quality.profile import NAME_MAX


class QualityProfileRow(HasId, HasTimes, Owned, Base):
    """A quality profile of a person or a team. `limits` holds a `QualityProfile`; one of a team has its `team_id`."""

    __tablename__ = "quality_profiles"
    __table_args__ = (Index("ix_quality_profiles_user_id", "user_id"),)

    name: Mapped[str] = mapped_column(String(NAME_MAX))
    limits: Mapped[dict[str, Any]] = mapped_column(default=dict)
