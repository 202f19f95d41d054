"""What a subscription costs, and what its next invoice takes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    op.add_column("billing_accounts", sa.Column("price", sa.Integer(), nullable=True))
    op.add_column("billing_accounts", sa.Column("renewal_amount", sa.Integer(), nullable=True))
    op.add_column("billing_accounts", sa.Column("discount_until", sa.DateTime(timezone=True), nullable=True))
