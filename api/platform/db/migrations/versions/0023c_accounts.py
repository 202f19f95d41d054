"""Accounts: browsers by id with their last use, links that set a password, new addresses, pictures"""

from __future__ import annotations

import uuid

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0023c"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("users", sa.Column("avatar_key", sa.String(300), nullable=True))
    op.add_column("users", sa.Column("pending_email", sa.String(254), nullable=True))
    op.add_column("browser_sessions", sa.Column("id", sa.Uuid(), nullable=True))
    op.add_column("browser_sessions", sa.Column("user_agent", sa.String(300), nullable=False, server_default=""))
    op.add_column("browser_sessions", sa.Column("network", sa.String(64), nullable=False, server_default=""))
    op.add_column("browser_sessions", sa.Column("last_used_at", AwareDateTime(), nullable=True))
    _number_sessions()
    with op.batch_alter_table("browser_sessions") as batch:
        batch.alter_column("id", existing_type=sa.Uuid(), nullable=False)
        batch.alter_column("last_used_at", existing_type=AwareDateTime(), nullable=False)
        batch.create_unique_constraint("uq_browser_sessions_id", ["id"])
    op.create_table(
        "password_resets",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_password_resets_user_id_users", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_password_resets"),
    )
    op.create_index("ix_password_resets_user_id", "password_resets", ["user_id"])
    op.create_index("ix_password_resets_expires_at", "password_resets", ["expires_at"])


def _number_sessions() -> None:
    """Give each open session an id. When it was used last is not known; it was after its start."""
    sessions = sa.table(
        "browser_sessions",
        sa.column("token_hash", sa.String()),
        sa.column("id", sa.Uuid()),
        sa.column("created_at", AwareDateTime()),
        sa.column("last_used_at", AwareDateTime()),
    )
    connection = op.get_bind()
    for (token_hash,) in connection.execute(sa.select(sessions.c.token_hash)).all():
        connection.execute(
            sa.update(sessions)
            .where(sessions.c.token_hash == token_hash)
            .values(id=uuid.uuid4(), last_used_at=sessions.c.created_at)
        )
