"""Where the spectrogram of a file is stored."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    op.add_column("files", sa.Column("spectrogram_key", sa.String(300), nullable=True))
