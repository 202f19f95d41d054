"""Rules of teams: how long sessions last, whose addresses may join and how long files are kept."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0054"
down_revision = "0053"


def upgrade() -> None:
    op.add_column("teams", sa.Column("session_hours", sa.Integer(), nullable=True))
    op.add_column("teams", sa.Column("email_domains", JsonValue, nullable=False, server_default="[]"))
    op.add_column("teams", sa.Column("keep_days", sa.Integer(), nullable=True))
    op.add_column("files", sa.Column("kept_since", AwareDateTime(), nullable=True))
