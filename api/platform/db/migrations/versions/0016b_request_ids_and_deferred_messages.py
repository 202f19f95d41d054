"""The request that queued a job, and messages that their receiver put off"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0016b"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("request_id", sa.String(64), nullable=True))
    op.add_column("outbox", sa.Column("not_before", AwareDateTime(), nullable=True))
