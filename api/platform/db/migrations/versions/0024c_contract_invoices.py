"""Numbers of our own invoices, one contract invoice a month, and the order of their list"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024c"
down_revision = "0024b"

ONE_A_MONTH = "source = 'contract' AND state <> 'void'"


def upgrade() -> None:
    op.create_table(
        "invoice_numbers",
        sa.Column("year", sa.Integer(), nullable=False),
        sa.Column("newest", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("year", name="pk_invoice_numbers"),
    )
    op.create_index("ix_invoices_created_at", "invoices", ["created_at"])
    op.create_index(
        "uq_invoices_contract_month",
        "invoices",
        ["user_id", "period_start"],
        unique=True,
        sqlite_where=sa.text(ONE_A_MONTH),
        postgresql_where=sa.text(ONE_A_MONTH),
    )
