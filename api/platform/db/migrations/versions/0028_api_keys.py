"""API keys, and the speech requests that programs make with them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("prefix", sa.String(20), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("scopes", JsonValue, nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=True),
        sa.Column("last_used_at", AwareDateTime(), nullable=True),
        sa.Column("requests_minute", sa.Integer(), nullable=False),
        sa.Column("seconds_month", sa.BigInteger(), nullable=True),
        sa.Column("used_month", sa.String(7), nullable=True),
        sa.Column("used_seconds", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_api_keys_user_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_api_keys_team_id_teams", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
        sa.UniqueConstraint("secret_hash", name="uq_api_keys_secret_hash"),
    )
    for column in ("user_id", "team_id", "expires_at"):
        op.create_index(f"ix_api_keys_{column}", "api_keys", [column])
    op.create_table(
        "speech_requests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("key_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("task", sa.String(20), nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("source_key", sa.String(200), nullable=False),
        sa.Column("duration_ms", sa.BigInteger(), nullable=True),
        sa.Column("charged_month", sa.String(7), nullable=True),
        sa.Column("charged_seconds", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("error_code", sa.String(60), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_speech_requests_user_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_speech_requests_team_id_teams", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_speech_requests"),
    )
    for column in ("user_id", "team_id", "created_at"):
        op.create_index(f"ix_speech_requests_{column}", "speech_requests", [column])
