"""What the models can do, why a file failed, and in which language captions were before and after a change"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "capabilities",
        sa.Column("task", sa.String(length=40), nullable=False),
        sa.Column("record", JsonValue, nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("task", name=op.f("pk_capabilities")),
    )
    op.add_column("files", sa.Column("error_code", sa.String(length=40), nullable=True))
    op.add_column("caption_revisions", sa.Column("language_before", sa.String(length=20), nullable=True))
    op.add_column("caption_revisions", sa.Column("language_after", sa.String(length=20), nullable=True))
