"""Recordings that are transcribed while they are made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0058"
down_revision = "0057"


def upgrade() -> None:
    op.create_table(
        "live_sessions",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("source", sa.Uuid(), nullable=False),
        sa.Column("pieces", sa.Integer(), nullable=False),
        sa.Column("reserved_s", sa.Integer(), nullable=False),
        sa.Column("ends_at_ms", sa.Integer(), nullable=False),
        sa.Column("ends_why", sa.Text(), nullable=True),
        sa.Column("watch_token", sa.String(40), nullable=True),
        sa.Column("began_at", AwareDateTime(), nullable=False),
        sa.Column("sound_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_live_sessions_file_id_files"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("file_id", name=op.f("pk_live_sessions")),
        sa.UniqueConstraint("watch_token", name=op.f("uq_live_sessions_watch_token")),
    )
    op.create_index(
        "ix_live_sessions_open",
        "live_sessions",
        ["sound_at"],
        sqlite_where=sa.text("state = 'open'"),
        postgresql_where=sa.text("state = 'open'"),
    )
