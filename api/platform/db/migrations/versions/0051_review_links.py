"""Links for reviewers without an account, and who used them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    op.create_table(
        "review_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("rights", sa.String(20), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False),
        sa.Column("sealed_secret", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("expires_at", AwareDateTime(), nullable=False),
        sa.Column("revoked_at", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_review_links_file_id_files"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_review_links_user_id_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_links")),
    )
    op.create_index(op.f("ix_review_links_file_id"), "review_links", ["file_id"])
    op.create_index(op.f("ix_review_links_user_id"), "review_links", ["user_id"])
    op.create_table(
        "reviewers",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("entered_at", AwareDateTime(), nullable=False),
        sa.Column("seen_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["link_id"], ["review_links.id"], name=op.f("fk_reviewers_link_id_review_links"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reviewers")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_reviewers_token_hash")),
    )
    op.create_index(op.f("ix_reviewers_link_id"), "reviewers", ["link_id"])
    # Without a foreign key, for which SQLite would copy the whole table: reviewers end with their file, as notes do.
    for table in ("caption_revisions", "caption_notes"):
        op.add_column(table, sa.Column("reviewer_id", sa.Uuid(), nullable=True))
