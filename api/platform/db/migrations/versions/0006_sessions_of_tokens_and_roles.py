"""Upload tokens end with the session that made them, and members of teams are editors or viewers"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("upload_tokens", sa.Column("session_hash", sa.String(length=64), nullable=True))
    # Teams have no pages yet; those made by hand had two roles.
    op.execute("UPDATE memberships SET role = 'editor' WHERE role = 'member'")
