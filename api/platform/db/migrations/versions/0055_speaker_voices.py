"""Voices known across the files of a team."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0055"
down_revision = "0054"


def upgrade() -> None:
    op.add_column("teams", sa.Column("knows_voices", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "speaker_voices",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("label", sa.String(20), nullable=False),
        sa.Column("model", sa.String(300), nullable=False),
        sa.Column("embedding", sa.LargeBinary(), nullable=False),
        sa.Column("spoken_ms", sa.Integer(), nullable=False),
        sa.Column("sample_start_ms", sa.Integer(), nullable=True),
        sa.Column("sample_end_ms", sa.Integer(), nullable=True),
        sa.Column("is_dismissed", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_speaker_voices_file_id_files"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_speaker_voices")),
        sa.UniqueConstraint("file_id", "label", name=op.f("uq_speaker_voices_file_id")),
    )
