"""Customers, changes and events of the payment provider, and invoices of either source"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0020"
down_revision = "0016b"


def upgrade() -> None:
    op.create_table(
        "billing_accounts",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("customer_id", sa.String(100), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("card_brand", sa.String(40), nullable=True),
        sa.Column("card_last4", sa.String(4), nullable=True),
        sa.Column("card_month", sa.Integer(), nullable=True),
        sa.Column("card_year", sa.Integer(), nullable=True),
        sa.Column("discount", sa.String(200), nullable=True),
        sa.Column("due_invoice", sa.String(100), nullable=True),
        sa.Column("due_amount", sa.Integer(), nullable=True),
        sa.Column("pending_tier", sa.String(20), nullable=True),
        sa.Column("pending_period", sa.String(20), nullable=True),
        sa.Column("pending_until", AwareDateTime(), nullable=True),
        sa.Column("read_at", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_billing_accounts_user_id_users", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name="pk_billing_accounts"),
        sa.UniqueConstraint("customer_id", name="uq_billing_accounts_customer_id"),
    )
    op.create_table(
        "billing_changes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("tier", sa.String(20), nullable=True),
        sa.Column("period", sa.String(20), nullable=True),
        sa.Column("coupon", sa.String(100), nullable=True),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_billing_changes_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_billing_changes"),
    )
    op.create_index("ix_billing_changes_user_id", "billing_changes", ["user_id"])
    op.create_index(
        "uq_billing_changes_open",
        "billing_changes",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
    op.create_table(
        "billing_events",
        sa.Column("id", sa.String(100), nullable=False),
        sa.Column("kind", sa.String(100), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("received_at", AwareDateTime(), nullable=False),
        sa.Column("handled_at", AwareDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_billing_events"),
    )
    op.create_index("ix_billing_events_received_at", "billing_events", ["received_at"])
    op.create_table(
        "invoices",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.String(60), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("customer_name", sa.String(200), nullable=False),
        sa.Column("customer_email", sa.String(254), nullable=False),
        sa.Column("customer_address", sa.String(1000), nullable=False),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("currency", sa.String(3), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("tax", sa.Integer(), nullable=False),
        sa.Column("period_start", AwareDateTime(), nullable=True),
        sa.Column("period_end", AwareDateTime(), nullable=True),
        sa.Column("issued_at", AwareDateTime(), nullable=True),
        sa.Column("due_at", AwareDateTime(), nullable=True),
        sa.Column("paid_at", AwareDateTime(), nullable=True),
        sa.Column("lines", JsonValue, nullable=False),
        sa.Column("stripe_id", sa.String(100), nullable=True),
        sa.Column("subscription_id", sa.String(100), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("granted_until", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_invoices_user_id_users", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_invoices"),
        sa.UniqueConstraint("number", name="uq_invoices_number"),
        sa.UniqueConstraint("stripe_id", name="uq_invoices_stripe_id"),
    )
    op.create_index("ix_invoices_user_id_issued_at", "invoices", ["user_id", "issued_at"])
    op.create_index("ix_invoices_state_issued_at", "invoices", ["state", "issued_at"])
