"""What replicas use, and why a message of the outbox was not taken"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0026"
down_revision = "0024c"


def upgrade() -> None:
    op.create_table(
        "model_replicas",
        sa.Column("task", sa.String(40), nullable=False),
        sa.Column("record", JsonValue, nullable=False),
        sa.Column("read_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("task", name="pk_model_replicas"),
    )
    op.add_column("outbox", sa.Column("failed_at", AwareDateTime(), nullable=True))
    op.add_column("outbox", sa.Column("error", sa.Text(), nullable=True))
    op.create_index("ix_outbox_topic_failed_at", "outbox", ["topic", "failed_at"])
