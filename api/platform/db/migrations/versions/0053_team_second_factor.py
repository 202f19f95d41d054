"""Teams that ask their members for a second factor."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"


def upgrade() -> None:
    op.add_column("teams", sa.Column("requires_factor", sa.Boolean(), nullable=False, server_default=sa.false()))
