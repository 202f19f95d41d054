"""Indexes for lists and figures over all files and jobs; the device of an attempt"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023b"


def upgrade() -> None:
    is_postgresql = op.get_bind().dialect.name == "postgresql"
    # As in `api/content/files/name_order.py`.
    name = 'lower(name) COLLATE "C"' if is_postgresql else "lower(name)"
    op.create_index(
        "ix_files_created_at",
        "files",
        ["created_at", "id", "status", "kind", "language", "deleted_at", "user_id"],
    )
    op.create_index(
        "ix_files_failed",
        "files",
        ["updated_at"],
        sqlite_where=sa.text("status = 'failed'"),
        postgresql_where=sa.text("status = 'failed'"),
    )
    op.create_index("ix_files_kind_status", "files", ["kind", "status", "language", "deleted_at"])
    op.create_index("ix_files_name_order", "files", [sa.text(name)])
    op.create_index("ix_files_duration_ms", "files", ["duration_ms"])
    op.create_index("ix_files_size_bytes", "files", ["size_bytes"])
    op.create_index("ix_jobs_kind_state_finished_at", "jobs", ["kind", "state", "finished_at", "work", "error_code"])
    op.add_column("job_attempts", sa.Column("device", sa.String(40), nullable=True))
