"""Tags of users and teams on files"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0021"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "tags",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("slug", sa.String(20), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("key", sa.String(180), nullable=False),
        sa.Column("colour", sa.String(10), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tags_user_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_tags_team_id_teams", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_tags"),
        sa.UniqueConstraint("slug", name="uq_tags_slug"),
    )
    op.create_index("ix_tags_team_id", "tags", ["team_id"])
    for owner, has_team in (("user_id", "team_id IS NULL"), ("team_id", "team_id IS NOT NULL")):
        where = sa.text(has_team)
        op.create_index(
            f"ux_tags_{owner}_key", "tags", [owner, "key"], unique=True, sqlite_where=where, postgresql_where=where
        )
    op.create_table(
        "file_tags",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("tag_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(["file_id"], ["files.id"], name="fk_file_tags_file_id_files", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tag_id"], ["tags.id"], name="fk_file_tags_tag_id_tags", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("file_id", "tag_id", name="pk_file_tags"),
    )
    op.create_index("ix_file_tags_tag_id", "file_tags", ["tag_id"])
