"""AI texts and their versions"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0014"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "ai_texts",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("type", sa.String(length=20), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name=op.f("fk_ai_texts_file_id_files"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_ai_texts_user_id_users"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ai_texts")),
        sa.UniqueConstraint("file_id", "type", "language", name=op.f("uq_ai_texts_file_id")),
    )
    op.create_table(
        "ai_text_versions",
        sa.Column("ai_text_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("content", JsonValue, nullable=False),
        sa.Column("engine", JsonValue, nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["ai_text_id"],
            ["ai_texts.id"],
            name=op.f("fk_ai_text_versions_ai_text_id_ai_texts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_ai_text_versions_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ai_text_versions")),
        sa.UniqueConstraint("ai_text_id", "number", name=op.f("uq_ai_text_versions_ai_text_id")),
    )
    op.create_index(op.f("ix_ai_text_versions_user_id"), "ai_text_versions", ["user_id"])
