"""Captions that are shown also to people who have switched subtitles off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    op.add_column("caption_lines", sa.Column("forced", sa.Boolean(), nullable=False, server_default=sa.false()))
