"""The file each job belongs to, exports included"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("file_id", sa.Uuid(), nullable=True))
    op.create_index("ix_jobs_file_id", "jobs", ["file_id"])
    op.execute("UPDATE jobs SET file_id = subject_id WHERE kind IN ('upload', 'transcribe', 'encoding')")
    op.execute(
        "UPDATE jobs SET file_id = (SELECT exports.file_id FROM exports WHERE exports.id = jobs.subject_id) "
        "WHERE kind = 'export'"
    )
