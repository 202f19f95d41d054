"""Companies, what administrators note about customers, and sessions in which they browse as somebody"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime

revision = "0023"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("browser_sessions", sa.Column("browse_id", sa.Uuid(), nullable=True))
    op.add_column("browser_sessions", sa.Column("browse_user_id", sa.Uuid(), nullable=True))
    op.add_column("browser_sessions", sa.Column("browse_ends_at", AwareDateTime(), nullable=True))
    op.add_column(
        "browser_sessions", sa.Column("browse_may_change", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_index("ix_browser_sessions_browse_user_id", "browser_sessions", ["browse_user_id"])
    op.create_table(
        "companies",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("registration_number", sa.String(40), nullable=True),
        sa.Column("vat_number", sa.String(40), nullable=True),
        sa.Column("contact", sa.String(200), nullable=True),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("phone", sa.String(40), nullable=True),
        sa.Column("address", sa.String(500), nullable=True),
        sa.Column("country", sa.String(2), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("deleted_at", AwareDateTime(), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_companies"),
    )
    op.create_index("ix_companies_deleted_at", "companies", ["deleted_at"])
    op.create_index("ix_companies_created_at", "companies", ["created_at"])
    # One company has a registration number; a deleted one frees it.
    op.create_index(
        "uq_companies_registration_number",
        "companies",
        ["registration_number"],
        unique=True,
        sqlite_where=sa.text("deleted_at IS NULL"),
        postgresql_where=sa.text("deleted_at IS NULL"),
    )
    for table, column, parent in (
        ("company_users", "user_id", "users"),
        ("company_teams", "team_id", "teams"),
    ):
        op.create_table(
            table,
            sa.Column(column, sa.Uuid(), nullable=False),
            sa.Column("company_id", sa.Uuid(), nullable=False),
            sa.Column("created_at", AwareDateTime(), nullable=False),
            sa.ForeignKeyConstraint(
                [column], [f"{parent}.id"], name=f"fk_{table}_{column}_{parent}", ondelete="CASCADE"
            ),
            sa.ForeignKeyConstraint(
                ["company_id"], ["companies.id"], name=f"fk_{table}_company_id_companies", ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint(column, name=f"pk_{table}"),
        )
        op.create_index(f"ix_{table}_company_id", table, ["company_id"])
    op.create_table(
        "customer_details",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("contact", sa.String(200), nullable=True),
        sa.Column("sealed_ssn", sa.String(400), nullable=True),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_customer_details_user_id_users", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name="pk_customer_details"),
    )
