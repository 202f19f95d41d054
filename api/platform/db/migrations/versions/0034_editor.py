"""Settings of the editor, shot changes of a file, names of changes of many lines"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    op.create_table(
        "editor_settings",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("settings", JsonValue, nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_editor_settings_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_editor_settings")),
    )
    op.create_table(
        "file_shots",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("shots_ms", JsonValue, nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_file_shots_file_id_files"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("file_id", name=op.f("pk_file_shots")),
    )
    op.add_column("caption_revisions", sa.Column("label", sa.String(200), nullable=True))
