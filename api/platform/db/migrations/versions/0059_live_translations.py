"""Languages into which a live recording is translated while it is made."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0059"
down_revision = "0058"


def upgrade() -> None:
    op.add_column("live_sessions", sa.Column("translate_to", JsonValue, nullable=False, server_default="[]"))
