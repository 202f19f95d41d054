"""Authenticator apps, recovery codes, browsers that are trusted, and sign-ins that wait for a code."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0049"
down_revision = "0048"


def _person(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["user_id"], ["users.id"], name=op.f(f"fk_{table}_user_id_users"), ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "authenticator_apps",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("last_step", sa.Integer(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        _person("authenticator_apps"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_authenticator_apps")),
    )
    op.add_column("users", sa.Column("second_factor_at", AwareDateTime(), nullable=True))
    op.create_table(
        "recovery_codes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=False),
        _person("recovery_codes"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_codes")),
    )
    op.create_index("ix_recovery_codes_user_id", "recovery_codes", ["user_id"])
    op.create_table(
        "trusted_browsers",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        _person("trusted_browsers"),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_trusted_browsers")),
    )
    op.create_index(op.f("ix_trusted_browsers_user_id"), "trusted_browsers", ["user_id"])
    op.create_index(op.f("ix_trusted_browsers_expires_at"), "trusted_browsers", ["expires_at"])
    op.create_table(
        "waiting_sign_ins",
        sa.Column("browser_hash", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("restore", sa.Boolean(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        _person("waiting_sign_ins"),
        sa.PrimaryKeyConstraint("browser_hash", name=op.f("pk_waiting_sign_ins")),
    )
    op.create_index(op.f("ix_waiting_sign_ins_user_id"), "waiting_sign_ins", ["user_id"])
    op.create_index(op.f("ix_waiting_sign_ins_expires_at"), "waiting_sign_ins", ["expires_at"])
