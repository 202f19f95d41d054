"""Where a caption line stands on the picture."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.add_column("caption_lines", sa.Column("place", JsonValue, nullable=True))
