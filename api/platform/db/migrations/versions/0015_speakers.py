"""Who speaks: a speaker on each line, names of speakers, and sound with its channels kept"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.add_column("caption_lines", sa.Column("speaker", sa.String(20), nullable=True))
    op.add_column("caption_revisions", sa.Column("speakers_before", JsonValue, nullable=True))
    op.add_column("caption_revisions", sa.Column("speakers_after", JsonValue, nullable=True))
    op.add_column("files", sa.Column("channels_key", sa.String(300), nullable=True))
    op.add_column("files", sa.Column("detects_speakers", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("files", sa.Column("speaker_count", sa.Integer(), nullable=True))
    op.add_column("uploads", sa.Column("detects_speakers", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("exports", sa.Column("speakers", sa.String(10), nullable=False, server_default="none"))
    op.create_table(
        "speakers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("label", sa.String(20), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("colour", sa.Integer(), nullable=False),
        sa.Column("sample_start_ms", sa.Integer(), nullable=True),
        sa.Column("sample_end_ms", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name="fk_speakers_file_id_files", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_speakers"),
        sa.UniqueConstraint("file_id", "label", name="uq_speakers_file_id"),
    )
