"""Translations are linked to their source line by line; glossaries of users and teams"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("caption_tracks", sa.Column("formality", sa.String(length=20), nullable=True))
    op.add_column("caption_tracks", sa.Column("notes", JsonValue, nullable=False, server_default="[]"))
    op.add_column("caption_tracks", sa.Column("deleted_at", AwareDateTime(), nullable=True))
    op.add_column("caption_lines", sa.Column("written_by", sa.String(length=10), nullable=True))
    op.add_column("caption_lines", sa.Column("flags", JsonValue, nullable=False, server_default="[]"))
    op.add_column("caption_lines", sa.Column("log_probability", sa.Float(), nullable=True))
    op.add_column("caption_revisions", sa.Column("follows_track_id", sa.Uuid(), nullable=True))
    op.add_column("caption_revisions", sa.Column("follows_number", sa.Integer(), nullable=True))
    op.create_index("ix_caption_revisions_follows", "caption_revisions", ["follows_track_id", "follows_number"])
    _create_links()
    _create_glossary()


def _create_links() -> None:
    op.create_table(
        "caption_links",
        sa.Column("target_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("track_id", sa.Uuid(), nullable=False),
        sa.Column("source_id", sa.Uuid(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("is_stale", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["target_id"],
            ["caption_lines.id"],
            name=op.f("fk_caption_links_target_id_caption_lines"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["track_id"],
            ["caption_tracks.id"],
            name=op.f("fk_caption_links_track_id_caption_tracks"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("target_id", "position", name=op.f("pk_caption_links")),
    )
    op.create_index(op.f("ix_caption_links_source_id"), "caption_links", ["source_id"])
    op.create_index(op.f("ix_caption_links_track_id"), "caption_links", ["track_id"])
    is_stale = sa.text("is_stale")
    op.create_index(
        "ix_caption_links_stale", "caption_links", ["track_id"], sqlite_where=is_stale, postgresql_where=is_stale
    )


def _create_glossary() -> None:
    op.create_table(
        "glossary_terms",
        sa.Column("source_language", sa.String(length=20), nullable=True),
        sa.Column("target_language", sa.String(length=20), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("case_sensitive", sa.Boolean(), nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_glossary_terms_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_glossary_terms_team_id_teams"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_glossary_terms")),
    )
    op.create_index(op.f("ix_glossary_terms_team_id"), "glossary_terms", ["team_id"])
    op.create_index(op.f("ix_glossary_terms_user_id"), "glossary_terms", ["user_id"])
