"""Plans, contracts, the audit log, verified addresses, and deletion that can be taken back"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("users", sa.Column("locale", sa.String(10), nullable=False, server_default="en"))
    op.add_column("users", sa.Column("email_verified_at", AwareDateTime(), nullable=True))
    # Accounts made before addresses were verified stay usable.
    op.execute("UPDATE users SET email_verified_at = created_at")
    for table in ("users", "teams", "files"):
        op.add_column(table, sa.Column("deleted_at", AwareDateTime(), nullable=True))
        op.create_index(f"ix_{table}_deleted_at", table, ["deleted_at"])
    op.add_column("teams", sa.Column("payer_id", sa.Uuid(), nullable=True))
    op.create_index("ix_teams_payer_id", "teams", ["payer_id"])
    op.execute(
        "UPDATE teams SET payer_id = (SELECT user_id FROM memberships WHERE memberships.team_id = teams.id "
        "AND memberships.role = 'owner' ORDER BY memberships.created_at LIMIT 1)"
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("stripe_id", sa.String(100), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("tier", sa.String(20), nullable=False),
        sa.Column("period", sa.String(20), nullable=False),
        sa.Column("status", sa.String(30), nullable=False),
        sa.Column("period_start", AwareDateTime(), nullable=True),
        sa.Column("period_end", AwareDateTime(), nullable=True),
        sa.Column("cancel_at", AwareDateTime(), nullable=True),
        sa.Column("next_tier", sa.String(20), nullable=True),
        sa.Column("next_period", sa.String(20), nullable=True),
        sa.Column("schedule_id", sa.String(100), nullable=True),
        sa.Column("newest_event", sa.String(150), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_subscriptions_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_subscriptions"),
        sa.UniqueConstraint("stripe_id", name="uq_subscriptions_stripe_id"),
    )
    op.create_index("ix_subscriptions_user_id", "subscriptions", ["user_id"])
    op.create_index(
        "uq_subscriptions_current",
        "subscriptions",
        ["user_id"],
        unique=True,
        sqlite_where=sa.text("is_current = 1"),
        postgresql_where=sa.text("is_current"),
    )
    op.create_table(
        "contracts",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("price_monthly", sa.Integer(), nullable=False),
        sa.Column("price_minutes", sa.Integer(), nullable=False),
        sa.Column("max_seconds", sa.BigInteger(), nullable=True),
        sa.Column("max_space", sa.BigInteger(), nullable=True),
        sa.Column("max_users", sa.Integer(), nullable=True),
        sa.Column("starts_at", AwareDateTime(), nullable=False),
        sa.Column("ends_at", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_contracts_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_contracts"),
        sa.UniqueConstraint("user_id", name="uq_contracts_user_id"),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("at", AwareDateTime(), nullable=False),
        sa.Column("action", sa.String(60), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("actor_email", sa.String(254), nullable=True),
        sa.Column("subject_id", sa.Uuid(), nullable=True),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("object_kind", sa.String(40), nullable=True),
        sa.Column("object_id", sa.String(100), nullable=True),
        sa.Column("details", JsonValue, nullable=False),
        sa.Column("network", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_audit_entries"),
    )
    op.create_index("ix_audit_entries_at", "audit_entries", ["at"])
    op.create_index("ix_audit_entries_action", "audit_entries", ["action"])
    op.create_index("ix_audit_entries_actor_id", "audit_entries", ["actor_id"])
    op.create_index("ix_audit_entries_subject_id_at", "audit_entries", ["subject_id", "at"])
    op.create_index("ix_audit_entries_team_id_at", "audit_entries", ["team_id", "at"])
