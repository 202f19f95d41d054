"""Indexes for the administrators' lists of users, invoices and the audit log, and for parts of names and addresses"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"

# An ordinary role may create it: PostgreSQL trusts this extension. Where it is missing, searches read all rows.
TRIGRAMS = """
DO $$ BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
    NULL;
END $$
"""
POSTGRESQL = (
    "CREATE INDEX search_users ON users USING gin (lower(name) {trigrams}, lower(email) {trigrams})",
    "CREATE INDEX search_invoices ON invoices USING gin"
    " (lower(customer_name) {trigrams}, lower(customer_email) {trigrams}, lower(coalesce(number, '')) {trigrams})",
)
# SQLite reads this narrow index from end to end, which takes a third of reading the rows.
SQLITE = (
    "CREATE INDEX search_invoices ON invoices (created_at, id, lower(customer_name), lower(customer_email),"
    " lower(coalesce(number, '')), source, state, issued_at)"
)


def upgrade() -> None:
    op.create_index("ix_users_created_at", "users", ["created_at", "id"])
    op.create_index("ix_users_name_order", "users", [sa.text("lower(name)"), "id"])
    op.drop_index("ix_invoices_created_at", "invoices")
    op.create_index("ix_invoices_created_at", "invoices", ["created_at", "id"])
    op.create_index("ix_invoices_state_created_at", "invoices", ["state", "created_at", "id"])
    op.create_index("ix_invoices_source_created_at", "invoices", ["source", "created_at", "id"])
    op.create_index("ix_invoices_dated", "invoices", [sa.text("coalesce(issued_at, created_at)")])
    # These find what the indexes of one column found, and in order.
    for column in ("action", "actor_id"):
        op.drop_index(f"ix_audit_entries_{column}", "audit_entries")
        op.create_index(f"ix_audit_entries_{column}_at", "audit_entries", [column, "at"])
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        op.execute(SQLITE)
        return
    op.execute(TRIGRAMS)
    schema = connection.scalar(
        sa.text(
            "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
            " WHERE extname = 'pg_trgm'"
        )
    )
    if schema is not None:
        for statement in POSTGRESQL:
            op.execute(statement.format(trigrams=f'"{schema}".gin_trgm_ops'))
