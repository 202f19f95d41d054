"""Attempts to sign in and to register, counted over all web processes"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "attempt_counts",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("ends_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_attempt_counts")),
    )
    op.create_index(op.f("ix_attempt_counts_ends_at"), "attempt_counts", ["ends_at"])
