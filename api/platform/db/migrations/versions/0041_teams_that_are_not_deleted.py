"""A team is active unless it is deleted: the column said the same of every team."""

from __future__ import annotations

from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    op.drop_column("teams", "is_active")
