"""Versions, notes and proposals of captions"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    op.create_table(
        "caption_snapshots",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("is_automatic", sa.Boolean(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["track_id"], ["caption_tracks.id"], name="fk_caption_snapshots_track_id_caption_tracks", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_caption_snapshots_user_id_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_caption_snapshots"),
        sa.UniqueConstraint("track_id", "revision", name="uq_caption_snapshots_track_id"),
    )
    op.create_table(
        "caption_notes",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("line_id", sa.Uuid(), nullable=False),
        sa.Column("first_line_id", sa.Uuid(), nullable=False),
        sa.Column("line_text", sa.Text(), nullable=False),
        sa.Column("start_ms", sa.Integer(), nullable=False),
        sa.Column("end_ms", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("as_support", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("edited_at", AwareDateTime(), nullable=True),
        sa.Column("resolved_at", AwareDateTime(), nullable=True),
        sa.Column("resolved_by", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["track_id"], ["caption_tracks.id"], name="fk_caption_notes_track_id_caption_tracks", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["caption_notes.id"], name="fk_caption_notes_parent_id_caption_notes", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_caption_notes_user_id_users", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(
            ["resolved_by"], ["users.id"], name="fk_caption_notes_resolved_by_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_caption_notes"),
    )
    op.create_index("ix_caption_notes_track_id", "caption_notes", ["track_id", "created_at"])
    op.create_index("ix_caption_notes_parent_id", "caption_notes", ["parent_id"])
    op.create_index("ix_caption_notes_user_id", "caption_notes", ["user_id"])
    op.create_table(
        "caption_proposals",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("spans", JsonValue, nullable=False),
        sa.Column("words", JsonValue, nullable=False),
        sa.ForeignKeyConstraint(
            ["track_id"], ["caption_tracks.id"], name="fk_caption_proposals_track_id_caption_tracks", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_caption_proposals_user_id_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_caption_proposals"),
    )
    op.create_index("ux_caption_proposals_track_id", "caption_proposals", ["track_id"], unique=True)
