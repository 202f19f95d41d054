"""The ledger: what payers were given, and every change of their balances"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0023b"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "ledger_accounts",
        sa.Column("payer_id", sa.Uuid(), nullable=False),
        sa.Column("allows_extra", sa.Boolean(), nullable=False),
        sa.Column("extra_limit", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("payer_id", name="pk_ledger_accounts"),
    )
    op.create_table(
        "ledger_grants",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("payer_id", sa.Uuid(), nullable=False),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("starts_at", AwareDateTime(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("available", sa.BigInteger(), nullable=False),
        sa.Column("held", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        sa.Column("expired", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("available >= 0", name="ck_ledger_grants_available"),
        sa.CheckConstraint("held >= 0", name="ck_ledger_grants_held"),
        sa.CheckConstraint("spent >= 0", name="ck_ledger_grants_spent"),
        sa.CheckConstraint("expired >= 0", name="ck_ledger_grants_expired"),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_grants"),
        sa.UniqueConstraint("key", name="uq_ledger_grants_key"),
    )
    op.create_index("ix_ledger_grants_payer_id_expires_at", "ledger_grants", ["payer_id", "expires_at"])
    op.create_table(
        "ledger_movements",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("at", AwareDateTime(), nullable=False),
        sa.Column("payer_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("funding", sa.String(20), nullable=False),
        sa.Column("grant_id", sa.Uuid(), nullable=True),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("file_id", sa.Uuid(), nullable=True),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("work", sa.String(20), nullable=True),
        sa.Column("seconds", sa.BigInteger(), nullable=False),
        sa.Column("price_minute", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(20), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["grant_id"], ["ledger_grants.id"], name="fk_ledger_movements_grant_id_ledger_grants"),
        sa.PrimaryKeyConstraint("id", name="pk_ledger_movements"),
    )
    op.create_index("ix_ledger_movements_payer_id_at", "ledger_movements", ["payer_id", "at"])
    op.create_index("ix_ledger_movements_file_id_work", "ledger_movements", ["file_id", "work"])
    for column in ("grant_id", "job_id", "team_id"):
        op.create_index(f"ix_ledger_movements_{column}", "ledger_movements", [column])
