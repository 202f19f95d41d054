"""What was measured of the speech engines of an installation."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    op.create_table(
        "engine_evidence",
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("record", JsonValue, nullable=False),
        sa.Column("measured_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_engine_evidence")),
    )
