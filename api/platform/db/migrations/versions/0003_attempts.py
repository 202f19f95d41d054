"""Attempts of jobs, and what tells how long a job will still take"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "job_attempts",
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("owner", sa.String(length=100), nullable=True),
        sa.Column("work", sa.BigInteger(), nullable=False),
        sa.Column("engine", sa.String(length=200), nullable=True),
        sa.Column("started_at", AwareDateTime(), nullable=False),
        sa.Column("ended_at", AwareDateTime(), nullable=True),
        sa.Column("ending", sa.String(length=20), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.id"], name=op.f("fk_job_attempts_job_id_jobs"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job_attempts")),
        sa.UniqueConstraint("job_id", "fence", name=op.f("uq_job_attempts_job_id")),
    )
    op.create_index("ix_job_attempts_kind_ending_ended_at", "job_attempts", ["kind", "ending", "ended_at"])
    # Plain additions: on SQLite a table made anew would cascade to the rows that point at it.
    op.add_column("jobs", sa.Column("work", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("jobs", sa.Column("progress_at", AwareDateTime(), nullable=True))
    op.add_column("jobs", sa.Column("eta_at", AwareDateTime(), nullable=True))
    op.create_index("ix_jobs_user_id_started_at", "jobs", ["user_id", "started_at"])
