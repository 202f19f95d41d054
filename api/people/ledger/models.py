from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base
from api.platform.db.transitions import status_type


class MovementKind(StrEnum):
    RESERVE = "reserve"
    SETTLE = "settle"
    RELEASE = "release"
    REFUND = "refund"
    EXPIRE = "expire"
    CORRECT = "correct"


class Funding(StrEnum):
    """What pays for usage. Everything but `grant` and `extra` is recorded without a price."""

    GRANT = "grant"
    EXTRA = "extra"
    """Beyond the grants, at the plan's price of a minute."""
    UNLIMITED = "unlimited"
    """A contract without a limit."""
    FREE = "free"
    """Work that we repeat after a fault of ours, or with a better model."""
    UNBILLED = "unbilled"
    """The installation has billing switched off."""


class Reason(StrEnum):
    """Why seconds were released, or work is free."""

    FAULT = "fault"
    """We failed. The next run of this work on this file is free."""
    ENGINE = "engine"
    """A better model arrived."""
    FAILED = "failed"
    CANCELLED = "cancelled"


class LedgerAccount(Base):
    """What a payer decided, and the row that serializes their ledger: whoever writes locks it, after jobs and files.

    No table of this room has a foreign key to people or files: the ledger outlives both, and holds no names.
    """

    __tablename__ = "ledger_accounts"

    payer_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    allows_extra: Mapped[bool] = mapped_column(default=False)
    extra_limit: Mapped[int] = mapped_column(default=0)
    """The most that extra minutes may cost in a month, in cents."""


class Movement(Base):
    """One change of a balance. Never updated and never deleted: a correction is another row.

    `seconds` is positive, for `correct` also negative: `reserve` takes from what is available, `settle` turns a
    reservation into usage, `release` gives it back, `refund` gives back usage.
    """

    __tablename__ = "ledger_movements"
    __table_args__ = (
        Index("ix_ledger_movements_payer_id_at", "payer_id", "at"),
        Index("ix_ledger_movements_file_id_work", "file_id", "work"),
    )

    id: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )
    at: Mapped[datetime] = mapped_column()
    payer_id: Mapped[uuid.UUID] = mapped_column()
    kind: Mapped[MovementKind] = mapped_column(status_type(MovementKind))
    funding: Mapped[Funding] = mapped_column(status_type(Funding))
    grant_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("ledger_grants.id"), index=True)
    job_id: Mapped[uuid.UUID | None] = mapped_column(index=True)
    file_id: Mapped[uuid.UUID | None] = mapped_column()
    team_id: Mapped[uuid.UUID | None] = mapped_column(index=True)
    user_id: Mapped[uuid.UUID | None] = mapped_column()
    """Whose work it is, which is not always the payer's."""
    work: Mapped[str | None] = mapped_column(String(20))
    seconds: Mapped[int] = mapped_column(BigInteger)
    price_minute: Mapped[int] = mapped_column(default=0)
    """Cents for a minute, of `extra` alone."""
    reason: Mapped[Reason | None] = mapped_column(status_type(Reason))
    note: Mapped[str | None] = mapped_column(Text)
