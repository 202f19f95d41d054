from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, HasTimes, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type
from api.platform.webhooks.limits import NAME_MAX


class OffReason(StrEnum):
    """Why an endpoint that its owner did not turn off gets no events."""

    FAILING = "failing"
    GONE = "gone"


class DeliveryState(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookEndpoint(HasId, HasTimes, Owned, Base):
    """An address that gets events about the files of a person or a team. Its secrets are stored encrypted."""

    __tablename__ = "webhook_endpoints"
    __table_args__ = (Index("ix_webhook_endpoints_user_id", "user_id"),)

    url: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(String(NAME_MAX), default="")
    events: Mapped[list[Any]] = mapped_column()
    """Values of `EventType`."""
    is_enabled: Mapped[bool] = mapped_column(default=True)
    off_reason: Mapped[OffReason | None] = mapped_column(status_type(OffReason))
    secret: Mapped[str] = mapped_column(Text)
    former_secret: Mapped[str | None] = mapped_column(Text)
    former_until: Mapped[datetime | None] = mapped_column()
    """Until then, messages are signed with the former secret too."""
    failing_since: Mapped[datetime | None] = mapped_column()
    """When the first of the failures began that no success has followed."""
    noticed_at: Mapped[datetime | None] = mapped_column()
    """When people got a mail about these failures."""


class WebhookDelivery(HasId, Base):
    """One event on its way to one endpoint. The id is that of the message, the same however often it is sent."""

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        Index("ix_webhook_deliveries_endpoint_id", "endpoint_id", "created_at"),
        Index("ix_webhook_deliveries_due_at", "due_at"),
        Index("ix_webhook_deliveries_created_at", "created_at"),
    )

    endpoint_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("webhook_endpoints.id", ondelete="CASCADE"))
    event: Mapped[str] = mapped_column(String(40))
    data: Mapped[dict[str, Any]] = mapped_column()
    event_group: Mapped[str | None] = mapped_column(String(100))
    state: Mapped[DeliveryState] = mapped_column(status_type(DeliveryState), default=DeliveryState.WAITING)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    due_at: Mapped[datetime | None] = mapped_column()
    """The next attempt, or the end of the lease of the one under way. None once it has ended."""
    attempts: Mapped[int] = mapped_column(default=0)
    attempted_at: Mapped[datetime | None] = mapped_column()
    status_code: Mapped[int | None] = mapped_column()
    """What the newest attempt was answered with; None where there was no answer."""
    duration_ms: Mapped[int | None] = mapped_column()
    error: Mapped[str | None] = mapped_column(MessageText)
    """Why the newest attempt failed, as a sentence."""
