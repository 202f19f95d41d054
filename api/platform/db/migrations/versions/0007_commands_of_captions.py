"""A caption change keeps the id of its command, so that a repeat after a lost answer is recognised"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

INDEX = "ux_caption_revisions_transcription_id_command_id"


def upgrade() -> None:
    op.add_column("caption_revisions", sa.Column("command_id", sa.Uuid(), nullable=True))
    # An index rather than a constraint: SQLite adds it without making the table anew. NULLs do not collide.
    op.create_index(INDEX, "caption_revisions", ["transcription_id", "command_id"], unique=True)
