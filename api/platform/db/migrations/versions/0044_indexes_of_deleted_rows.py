"""The indexes of deleted rows hold those alone: SQLite read whole tables along them for rows that are not deleted."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"

IS_DELETED = sa.text("deleted_at IS NOT NULL")


def upgrade() -> None:
    for table in ("users", "teams", "files", "companies"):
        name = f"ix_{table}_deleted_at"
        op.drop_index(name, table)
        op.create_index(name, table, ["deleted_at"], sqlite_where=IS_DELETED, postgresql_where=IS_DELETED)
