from __future__ import annotations

from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base


class AttemptCount(Base):
    """Attempts in the window that ends at `ends_at`, by the database's clock.

    `key` is a SHA-256, so that the table contains no e-mail and no IP address.
    """

    __tablename__ = "attempt_counts"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    attempts: Mapped[int] = mapped_column()
    ends_at: Mapped[datetime] = mapped_column(index=True)
