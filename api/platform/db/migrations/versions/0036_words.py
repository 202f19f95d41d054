"""Words: known ones, corrected ones, reviewed spots, proofreading"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0036"
down_revision = "0035"


def _owner(table: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f(f"fk_{table}_team_id_teams"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f(f"fk_{table}_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    ]


def upgrade() -> None:
    op.create_table(
        "known_words",
        *_owner("known_words"),
        sa.Column("word", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=True),
    )
    op.create_index("ix_known_words_user_id", "known_words", ["user_id"])
    op.create_index(op.f("ix_known_words_team_id"), "known_words", ["team_id"])
    op.create_table(
        "word_corrections",
        *_owner("word_corrections"),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("line_id", sa.Uuid(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("wrong", sa.String(length=200), nullable=False),
        sa.Column("right", sa.String(length=200), nullable=False),
        sa.Column("is_settled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_word_corrections_file_id_files"), ondelete="CASCADE"
        ),
    )
    op.create_index("ix_word_corrections_user_id", "word_corrections", ["user_id"])
    op.create_index(op.f("ix_word_corrections_team_id"), "word_corrections", ["team_id"])
    op.create_index("ix_word_corrections_file_id_line_id", "word_corrections", ["file_id", "line_id"])
    op.create_table(
        "review_marks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("line_id", sa.Uuid(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["track_id"],
            ["caption_tracks.id"],
            name=op.f("fk_review_marks_track_id_caption_tracks"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_review_marks_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_marks")),
        sa.UniqueConstraint("track_id", "line_id", "key", name=op.f("uq_review_marks_track_id")),
    )
    op.create_index(op.f("ix_review_marks_user_id"), "review_marks", ["user_id"])
    op.create_table(
        "proofreadings",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("content", JsonValue, nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_proofreadings_file_id_files"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["track_id"],
            ["caption_tracks.id"],
            name=op.f("fk_proofreadings_track_id_caption_tracks"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_proofreadings_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_proofreadings")),
        sa.UniqueConstraint("track_id", name=op.f("uq_proofreadings_track_id")),
    )
    op.create_index(op.f("ix_proofreadings_file_id"), "proofreadings", ["file_id"])
    op.create_index(op.f("ix_proofreadings_user_id"), "proofreadings", ["user_id"])
