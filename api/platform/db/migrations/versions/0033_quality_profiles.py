"""Quality profiles of people and teams, and the profile that a track is judged by"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0033"
down_revision = "0031"


def upgrade() -> None:
    op.add_column("caption_tracks", sa.Column("profile", sa.String(length=60), nullable=True))
    op.create_table(
        "quality_profiles",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("limits", JsonValue, nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_quality_profiles_user_id_users", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name="fk_quality_profiles_team_id_teams", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_quality_profiles"),
    )
    op.create_index("ix_quality_profiles_user_id", "quality_profiles", ["user_id"])
    op.create_index("ix_quality_profiles_team_id", "quality_profiles", ["team_id"])
