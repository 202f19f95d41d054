"""Minutes given to a payer. The ledger says what became of them; what a payer may do depends on them too."""

from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, CheckConstraint, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, utc_now
from api.platform.db.transitions import status_type


class GrantSource(StrEnum):
    PLAN = "plan"
    CONTRACT = "contract"
    TOP_UP = "top_up"
    GOODWILL = "goodwill"
    FREE = "free"
    """To try the product before there is a plan."""


PRIORITIES = {
    GrantSource.PLAN: 30,
    GrantSource.CONTRACT: 30,
    GrantSource.GOODWILL: 20,
    GrantSource.FREE: 20,
    GrantSource.TOP_UP: 10,
}
"""The highest pays first: what a month brings before what was given or bought besides."""


class Grant(HasId, Base):
    """Seconds of sound given to a payer. Usable from `starts_at` until `expires_at`, None for no end.

    `seconds` plus the sum of its corrections is always `available` + `held` + `spent` + `expired`. The database refuses
    a negative column, so that no code can overdraw.
    """

    __tablename__ = "ledger_grants"
    __table_args__ = (
        Index("ix_ledger_grants_payer_id_expires_at", "payer_id", "expires_at"),
        CheckConstraint("available >= 0", "available"),
        CheckConstraint("held >= 0", "held"),
        CheckConstraint("spent >= 0", "spent"),
        CheckConstraint("expired >= 0", "expired"),
    )

    payer_id: Mapped[uuid.UUID] = mapped_column()
    source: Mapped[GrantSource] = mapped_column(status_type(GrantSource))
    key: Mapped[str] = mapped_column(String(200), unique=True)
    """Granting twice under one key grants once."""
    seconds: Mapped[int] = mapped_column(BigInteger)
    priority: Mapped[int] = mapped_column()
    starts_at: Mapped[datetime] = mapped_column()
    expires_at: Mapped[datetime | None] = mapped_column()
    note: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    available: Mapped[int] = mapped_column(BigInteger)
    held: Mapped[int] = mapped_column(BigInteger, default=0)
    """Reserved for work that has not ended."""
    spent: Mapped[int] = mapped_column(BigInteger, default=0)
    expired: Mapped[int] = mapped_column(BigInteger, default=0)
