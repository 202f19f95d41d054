"""Identity providers, the people they know, and memberships that their groups give."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    op.create_table(
        "identity_providers",
        sa.Column("slug", sa.String(40), nullable=False),
        sa.Column("described", JsonValue, nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_identity_providers")),
    )
    op.create_table(
        "identities",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("issuer", sa.String(500), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("used_at", AwareDateTime(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_identities_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer")),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"])
    op.create_table(
        "provider_sessions",
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("issuer", sa.String(500), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("sid", sa.String(255), nullable=True),
        sa.Column("id_token", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["browser_sessions.id"],
            name=op.f("fk_provider_sessions_session_id_browser_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_provider_sessions")),
    )
    op.create_index("ix_provider_sessions_subject", "provider_sessions", ["issuer", "subject"])
    op.create_index(op.f("ix_provider_sessions_sid"), "provider_sessions", ["sid"])
    op.create_table(
        "sign_in_requests",
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("browser_hash", sa.String(64), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("purpose", sa.String(20), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("verifier", sa.String(128), nullable=False),
        sa.Column("redirect_uri", sa.String(600), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sign_in_requests_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("state_hash", name=op.f("pk_sign_in_requests")),
    )
    op.create_index(op.f("ix_sign_in_requests_expires_at"), "sign_in_requests", ["expires_at"])
    op.add_column("browser_sessions", sa.Column("confirmed_at", AwareDateTime(), nullable=True))
    op.add_column("memberships", sa.Column("provider", sa.String(40), nullable=True))
