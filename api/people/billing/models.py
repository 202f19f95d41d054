from __future__ import annotations

import uuid
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, utc_now
from api.platform.db.transitions import status_type


class InvoiceSource(StrEnum):
    """Stripe writes the invoices of subscriptions, and we write those of contracts."""

    STRIPE = "stripe"
    CONTRACT = "contract"


class InvoiceState(StrEnum):
    DRAFT = "draft"
    OPEN = "open"
    PAID = "paid"
    VOID = "void"
    UNCOLLECTIBLE = "uncollectible"


class ChangeKind(StrEnum):
    SUBSCRIBE = "subscribe"
    UPGRADE = "upgrade"
    SCHEDULE = "schedule"
    TAKE_BACK = "take_back"
    CANCEL = "cancel"
    UNCANCEL = "uncancel"


class ChangeState(StrEnum):
    """`open` until Stripe's answer is known: a change whose answer was lost runs again under the same key."""

    OPEN = "open"
    DONE = "done"
    FAILED = "failed"


class BillingAccount(HasTimes, Base):
    """A person as a customer of Stripe, and what we last read there besides the subscription."""

    __tablename__ = "billing_accounts"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    customer_id: Mapped[str] = mapped_column(String(100), unique=True)
    revision: Mapped[int] = mapped_column(default=0)
    """Counts what was written after reading from Stripe. A reader whose revision has passed reads again."""
    card_brand: Mapped[str | None] = mapped_column(String(40))
    card_last4: Mapped[str | None] = mapped_column(String(4))
    card_month: Mapped[int | None] = mapped_column()
    card_year: Mapped[int | None] = mapped_column()
    discount: Mapped[str | None] = mapped_column(String(200))
    """The discount of the current subscription, in words."""
    price: Mapped[int | None] = mapped_column()
    """What a period of it costs before discounts. Null until it is read again."""
    renewal_amount: Mapped[int | None] = mapped_column()
    """What its next invoice costs."""
    discount_until: Mapped[datetime | None] = mapped_column()
    """From then on its invoices cost the whole price. Null where no discount ends."""
    due_invoice: Mapped[str | None] = mapped_column(String(100))
    """Stripe's id of an invoice that the person has to pay."""
    due_amount: Mapped[int | None] = mapped_column()
    pending_tier: Mapped[str | None] = mapped_column(String(20))
    """With `pending_period`: an upgrade that begins once its invoice is paid."""
    pending_period: Mapped[str | None] = mapped_column(String(20))
    pending_until: Mapped[datetime | None] = mapped_column()
    read_at: Mapped[datetime | None] = mapped_column()


class BillingChange(HasId, HasTimes, Base):
    """One change that a person asked of Stripe. Its id is the base of the idempotency keys of its calls."""

    __tablename__ = "billing_changes"
    __table_args__ = (
        Index(
            "uq_billing_changes_open",
            "user_id",
            unique=True,
            sqlite_where=text("state = 'open'"),
            postgresql_where=text("state = 'open'"),
        ),
        Index("ix_billing_changes_user_id", "user_id"),
    )

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(20))
    tier: Mapped[str | None] = mapped_column(String(20))
    period: Mapped[str | None] = mapped_column(String(20))
    coupon: Mapped[str | None] = mapped_column(String(100))
    state: Mapped[ChangeState] = mapped_column(status_type(ChangeState), default=ChangeState.OPEN)


class BillingEvent(Base):
    """An event that Stripe delivered, by its id. Once `handled_at` is set, a repeat does nothing."""

    __tablename__ = "billing_events"

    id: Mapped[str] = mapped_column(String(100), primary_key=True)
    kind: Mapped[str] = mapped_column(String(100))
    created_at: Mapped[datetime] = mapped_column()
    received_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)
    handled_at: Mapped[datetime | None] = mapped_column()


class Invoice(HasId, HasTimes, Base):
    """An invoice of either source. It outlives the account, so it has its own copy of the customer's name and address.

    Amounts are cents. `lines` are `InvoiceLine` in JSON.
    """

    __tablename__ = "invoices"
    __table_args__ = (
        Index("ix_invoices_user_id_issued_at", "user_id", "issued_at"),
        Index("ix_invoices_state_issued_at", "state", "issued_at"),
        Index("ix_invoices_created_at", "created_at", "id"),
        Index("ix_invoices_state_created_at", "state", "created_at", "id"),
        Index("ix_invoices_source_created_at", "source", "created_at", "id"),
        Index("ix_invoices_dated", text("coalesce(issued_at, created_at)")),
        Index(
            "uq_invoices_contract_month",
            "user_id",
            "period_start",
            unique=True,
            sqlite_where=text("source = 'contract' AND state <> 'void'"),
            postgresql_where=text("source = 'contract' AND state <> 'void'"),
        ),
    )

    number: Mapped[str | None] = mapped_column(String(60), unique=True)
    """Null until the invoice is issued."""
    user_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    customer_name: Mapped[str] = mapped_column(String(200), default="")
    customer_email: Mapped[str] = mapped_column(String(254), default="")
    customer_address: Mapped[str] = mapped_column(String(1000), default="")
    """Lines that the invoice shows below the name: address, registration number, VAT number."""
    source: Mapped[str] = mapped_column(String(20))
    state: Mapped[InvoiceState] = mapped_column(status_type(InvoiceState), default=InvoiceState.DRAFT)
    currency: Mapped[str] = mapped_column(String(3))
    total: Mapped[int] = mapped_column()
    tax: Mapped[int] = mapped_column(default=0)
    """Part of the total."""
    period_start: Mapped[datetime | None] = mapped_column()
    period_end: Mapped[datetime | None] = mapped_column()
    issued_at: Mapped[datetime | None] = mapped_column()
    due_at: Mapped[datetime | None] = mapped_column()
    paid_at: Mapped[datetime | None] = mapped_column()
    lines: Mapped[list[Any]] = mapped_column(default=list)
    stripe_id: Mapped[str | None] = mapped_column(String(100), unique=True)
    subscription_id: Mapped[str | None] = mapped_column(String(100))
    """Stripe's id of the subscription it bills."""
    failures: Mapped[int] = mapped_column(default=0)
    """Failed attempts to collect it that the customer got a mail about."""
    granted_until: Mapped[datetime | None] = mapped_column()
    """The minutes of the months before this moment are in the ledger. Null where the invoice brings none."""


class InvoiceNumber(Base):
    """The newest number of our own invoices in a year. The transaction that issues counts, so that none is missing."""

    __tablename__ = "invoice_numbers"

    year: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    newest: Mapped[int] = mapped_column(default=0)
