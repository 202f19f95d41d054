"""Who is to be recognised in a call of the speech API."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0056"
down_revision = "0055"


def upgrade() -> None:
    op.add_column("speech_requests", sa.Column("speakers", JsonValue, nullable=True))
