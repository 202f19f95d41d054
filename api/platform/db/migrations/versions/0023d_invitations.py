"""Invitations to teams, and the language of a team's uploads"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0023d"
down_revision = "0023c"


def upgrade() -> None:
    op.add_column("teams", sa.Column("language", sa.String(20), nullable=True))
    op.create_table(
        "invitations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("inviter_id", sa.Uuid(), nullable=True),
        sa.Column("sent_at", AwareDateTime(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        sa.Column("accepted_at", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name="fk_invitations_team_id_teams", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["inviter_id"], ["users.id"], name="fk_invitations_inviter_id_users", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_invitations"),
        sa.UniqueConstraint("token_hash", name="uq_invitations_token_hash"),
    )
    op.create_index("ix_invitations_team_id", "invitations", ["team_id"])
    op.create_index("ix_invitations_email", "invitations", ["email"])
    op.create_index("ix_invitations_expires_at", "invitations", ["expires_at"])
    op.create_index(
        "uq_invitations_open",
        "invitations",
        ["team_id", "email"],
        unique=True,
        sqlite_where=sa.text("accepted_at IS NULL"),
        postgresql_where=sa.text("accepted_at IS NULL"),
    )
