"""People and groups that identity providers keep up to date, and accounts that they turn off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    op.add_column("users", sa.Column("suspended_at", AwareDateTime(), nullable=True))
    op.create_table(
        "provisioning_tokens",
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("used_at", AwareDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("provider", name=op.f("pk_provisioning_tokens")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_provisioning_tokens_token_hash")),
    )
    op.create_table(
        "provisioned_people",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("name_key", sa.String(300), nullable=False),
        sa.Column("external_id", sa.String(300), nullable=True),
        sa.Column("described", JsonValue, nullable=False),
        sa.Column("made_account", sa.Boolean(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_provisioned_people_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provisioned_people")),
        sa.UniqueConstraint("provider", "name_key", name="uq_provisioned_people_name"),
        sa.UniqueConstraint("provider", "user_id", name="uq_provisioned_people_account"),
    )
    op.create_index(op.f("ix_provisioned_people_user_id"), "provisioned_people", ["user_id"])
    op.create_index("ix_provisioned_people_external_id", "provisioned_people", ["provider", "external_id"])
    op.create_table(
        "provisioned_groups",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("provider", sa.String(40), nullable=False),
        sa.Column("name", sa.String(300), nullable=False),
        sa.Column("external_id", sa.String(300), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provisioned_groups")),
    )
    op.create_index("ix_provisioned_groups_name", "provisioned_groups", ["provider", "name"])
    op.create_table(
        "provisioned_members",
        sa.Column("group_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["provisioned_groups.id"],
            name=op.f("fk_provisioned_members_group_id_provisioned_groups"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["provisioned_people.id"],
            name=op.f("fk_provisioned_members_person_id_provisioned_people"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("group_id", "person_id", name=op.f("pk_provisioned_members")),
    )
    op.create_index(op.f("ix_provisioned_members_person_id"), "provisioned_members", ["person_id"])
