"""Shift and Extend as offsets, a bound on the history of captions, and no word times for lines beyond any limit"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import JsonValue

revision = "0009"
down_revision = "0008"

_OVERLONG_CHARS = 10_000
"""Only imports could make such lines, so their word times were never measured."""
_LARGEST_STEP_BYTES = 32_000_000


def upgrade() -> None:
    op.add_column("caption_lines", sa.Column("words_shift_ms", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("caption_revisions", sa.Column("moves", JsonValue, nullable=True))
    op.add_column("caption_revisions", sa.Column("step_of", sa.Integer(), nullable=True))
    op.add_column("caption_revisions", sa.Column("size_bytes", sa.BigInteger(), nullable=False, server_default="0"))
    op.execute(f"UPDATE caption_lines SET words = '[]' WHERE length(text) > {_OVERLONG_CHARS}")
    # An undo is never undone itself: redo goes back to the change that it took back.
    op.execute("""UPDATE caption_revisions SET "before" = '[]', "after" = '[]' WHERE action IN ('Undo', 'Redo')""")
    op.execute(
        'UPDATE caption_revisions SET size_bytes = length(CAST("before" AS TEXT)) + length(CAST("after" AS TEXT))'
    )
    # A step too large to be read goes, and with it those before it: they could not be reached any more.
    op.execute(
        "DELETE FROM caption_revisions WHERE number <= ("
        "SELECT max(large.number) FROM caption_revisions AS large "
        "WHERE large.transcription_id = caption_revisions.transcription_id "
        f"AND large.size_bytes > {_LARGEST_STEP_BYTES})"
    )
