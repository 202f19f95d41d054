"""The stored objects that rows refer to."""

from __future__ import annotations

from sqlalchemy import Connection, String, inspect, text

from cluster.storage.objects import is_key

SUFFIX = "_key"
"""Columns that name stored objects end with it. Some others do too; their values have no form of a key."""


def referenced_keys(connection: Connection) -> set[str]:
    """The keys in all columns whose name says that they hold one."""
    found: set[str] = set()
    tables = inspect(connection)
    for table in tables.get_table_names():
        for column in tables.get_columns(table):
            name = column["name"]
            if name.endswith(SUFFIX) and isinstance(column["type"], String):
                values = connection.execute(text(f'SELECT "{name}" FROM "{table}" WHERE "{name}" IS NOT NULL'))
                found |= {value for (value,) in values if is_key(value)}
    return found
