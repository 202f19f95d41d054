"""Nobody asked for the SHA-256 of an upload, and it took half of what receiving one costs"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    # SQLite drops a column in place since 3.35: no table is made anew, so nothing cascades.
    for table in ("tus_uploads", "files"):
        op.drop_column(table, "sha256")
