"""Caption styles: presets of people and teams, and the style of a file"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    op.create_table(
        "caption_styles",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("style", JsonValue, nullable=False),
        sa.Column("is_default", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_caption_styles_team_id_teams"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_caption_styles_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_caption_styles")),
    )
    op.create_index("ix_caption_styles_user_id", "caption_styles", ["user_id"])
    op.create_index(op.f("ix_caption_styles_team_id"), "caption_styles", ["team_id"])
    op.create_table(
        "file_styles",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("preset_id", sa.String(length=40), nullable=True),
        sa.Column("style", JsonValue, nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_file_styles_file_id_files"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("file_id", name=op.f("pk_file_styles")),
    )
