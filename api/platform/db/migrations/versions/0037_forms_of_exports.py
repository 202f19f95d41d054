"""Exports: their form, and whether encoded parts are stored"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    op.add_column("exports", sa.Column("form", JsonValue, nullable=True))
    op.add_column("exports", sa.Column("form_key", sa.String(length=64), server_default="", nullable=False))
    op.add_column("exports", sa.Column("keeps_parts", sa.Boolean(), server_default=sa.false(), nullable=False))
