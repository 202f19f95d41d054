"""Alembic's entry: always online, on the connection that `api.platform.db.migrate` hands over.

The models' metadata is needed only to write a new migration, so the database's room need not know the domains.
"""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from api.platform.db.base import AwareDateTime, JsonValue

SEARCH_PREFIX = "search_"


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Write our two column types by name, so that a migration reads as the models do."""
    for name, is_ours in (
        ("AwareDateTime()", isinstance(item, AwareDateTime)),
        ("JsonValue", item is JsonValue),
    ):
        if kind == "type" and is_ours:
            autogen.imports.add(f"from api.platform.db.base import {name.removesuffix('()')}")
            return name
    return False


def include_name(name: str | None, kind: str, _parents: Any) -> bool:
    """Leave out what the search builds beside the tables: no model describes it."""
    return kind not in ("table", "index") or name is None or not name.startswith(SEARCH_PREFIX)


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=context.config.attributes.get("metadata"),
    render_as_batch=True,
    compare_type=True,
    render_item=render_item,
    include_name=include_name,
)
with context.begin_transaction():
    context.run_migrations()
