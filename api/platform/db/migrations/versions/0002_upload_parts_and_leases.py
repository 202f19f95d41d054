"""Uploads made of parts, what a store remembers of an upload, and locks that span hosts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    with op.batch_alter_table("tus_uploads", schema=None) as batch_op:
        batch_op.add_column(sa.Column("concat", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("store_state", JsonValue, nullable=True))
        batch_op.add_column(sa.Column("lock_owner", sa.String(length=64), nullable=True))
        batch_op.add_column(sa.Column("lock_until", AwareDateTime(), nullable=True))
        batch_op.add_column(sa.Column("lock_wanted", sa.Boolean(), nullable=False, server_default=sa.false()))
        batch_op.create_index(batch_op.f("ix_tus_uploads_lock_owner"), ["lock_owner"], unique=False)
        batch_op.create_index(batch_op.f("ix_tus_uploads_token_hash"), ["token_hash"], unique=False)
    _name_the_objects_of_unfinished_uploads()


def _name_the_objects_of_unfinished_uploads() -> None:
    """Uploads now know from the first what object they become; so far they were told at the end."""
    uploads = sa.table("uploads", sa.column("id", sa.Uuid()), sa.column("tus_id", sa.String()))
    tus_uploads = sa.table("tus_uploads", sa.column("id", sa.String()), sa.column("storage_key", sa.String()))
    connection = op.get_bind()
    statement = sa.select(uploads.c.id, uploads.c.tus_id).join(tus_uploads, tus_uploads.c.id == uploads.c.tus_id)
    for upload_id, tus_id in connection.execute(statement.where(tus_uploads.c.storage_key.is_(None))).all():
        key = f"uploads/{upload_id}/original"
        connection.execute(sa.update(tus_uploads).where(tus_uploads.c.id == tus_id).values(storage_key=key))
