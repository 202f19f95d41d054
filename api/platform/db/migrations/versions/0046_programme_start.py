"""The time address of a file's first frame, where somebody set it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    op.add_column("files", sa.Column("programme_start", sa.String(11), nullable=True))
