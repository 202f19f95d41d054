"""Caption lines that somebody has locked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    op.add_column("caption_lines", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false()))
