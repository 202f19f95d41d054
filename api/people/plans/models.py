from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes
from api.platform.db.transitions import status_type


class SubscriptionStatus(StrEnum):
    """Stripe's words. A plan counts while it is `active`, `trialing` or `past_due`."""

    INCOMPLETE = "incomplete"
    INCOMPLETE_EXPIRED = "incomplete_expired"
    TRIALING = "trialing"
    ACTIVE = "active"
    PAST_DUE = "past_due"
    CANCELED = "canceled"
    UNPAID = "unpaid"
    PAUSED = "paused"


COUNTING = (SubscriptionStatus.ACTIVE, SubscriptionStatus.TRIALING, SubscriptionStatus.PAST_DUE)
OPEN = (*COUNTING, SubscriptionStatus.INCOMPLETE, SubscriptionStatus.UNPAID, SubscriptionStatus.PAUSED)


class Subscription(HasId, HasTimes, Base):
    """What we last read of a subscription from Stripe. A person has at most one that has not ended (`is_current`)."""

    __tablename__ = "subscriptions"
    __table_args__ = (
        Index(
            "uq_subscriptions_current",
            "user_id",
            unique=True,
            sqlite_where=text("is_current = 1"),
            postgresql_where=text("is_current"),
        ),
    )

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    stripe_id: Mapped[str] = mapped_column(String(100), unique=True)
    is_current: Mapped[bool] = mapped_column(default=True)
    tier: Mapped[str] = mapped_column(String(20))
    period: Mapped[str] = mapped_column(String(20))
    status: Mapped[SubscriptionStatus] = mapped_column(status_type(SubscriptionStatus, 30))
    period_start: Mapped[datetime | None] = mapped_column()
    period_end: Mapped[datetime | None] = mapped_column()
    cancel_at: Mapped[datetime | None] = mapped_column()
    next_tier: Mapped[str | None] = mapped_column(String(20))
    """With `next_period`: a change that takes effect when the paid period ends."""
    next_period: Mapped[str | None] = mapped_column(String(20))
    schedule_id: Mapped[str | None] = mapped_column(String(100))
    newest_event: Mapped[str | None] = mapped_column(String(150))
    """`created` and id of the newest event that was applied."""


class Contract(HasId, HasTimes, Base):
    """An agreement with a customer that replaces a plan's numbers. Prices in cents; null limits mean no limit."""

    __tablename__ = "contracts"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), unique=True)
    price_monthly: Mapped[int] = mapped_column(default=0)
    price_minutes: Mapped[int] = mapped_column(default=0)
    """The price of one extra minute of sound."""
    max_seconds: Mapped[int | None] = mapped_column(BigInteger)
    """Seconds of sound included each month."""
    max_space: Mapped[int | None] = mapped_column(BigInteger)
    """Bytes stored at any one time."""
    max_users: Mapped[int | None] = mapped_column()
    starts_at: Mapped[datetime] = mapped_column()
    ends_at: Mapped[datetime | None] = mapped_column()
