"""The rows of a world's SQLite database, read beside the app, and a state of it to return to."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

import api.tables  # noqa: F401
from api.platform.db.base import Base

UNWATCHED = frozenset({"attempt_counts", "alembic_version", "audit_entries"})
_TABLES = [table.name for table in Base.metadata.sorted_tables if table.name not in UNWATCHED]
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T].*")
"""Moments change while nobody changes anything."""


@dataclass(frozen=True, eq=False)
class Row:
    """One form of a row: it is one object however often it is read."""

    table: str
    values: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        return f"{self.table} {json.dumps(self.values, sort_keys=True, default=str, ensure_ascii=False)}"

    @cached_property
    def bare(self) -> str:
        """The text without dashes."""
        return self.text.replace("-", "")


class Rows:
    def __init__(self, url: str) -> None:
        path = make_url(url).database
        assert path is not None
        self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._connection.execute("PRAGMA synchronous=OFF")
        self._saved = sqlite3.connect(Path(path).with_suffix(".saved"), timeout=60)
        self._version = -1
        self._rows: list[Row] = []
        self._saved_rows: list[Row] = []
        self._known: dict[tuple[str, tuple[Any, ...]], Row] = {}

    def close(self) -> None:
        self._connection.close()
        self._saved.close()

    def save(self) -> None:
        self._connection.backup(self._saved)
        self._saved_rows = self.every()

    def restore(self) -> None:
        self._saved.backup(self._connection)
        self._rows, self._version = self._saved_rows, self._data_version()

    def every(self) -> list[Row]:
        """All rows. Tables are read again only after a change."""
        version = self._data_version()
        if version != self._version:
            self._rows = list(self._read())
            self._version = version
        return self._rows

    def naming(self, words: Collection[str], tables: Collection[str] | None = None) -> frozenset[str]:
        """The rows that hold one of these words, which are ids without dashes or texts."""
        return frozenset(
            row.text
            for row in self.every()
            if (tables is None or row.table in tables) and any(word in row.bare for word in words)
        )

    def _data_version(self) -> int:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    def _read(self) -> Iterator[Row]:
        for table in _TABLES:
            selected = self._connection.execute(f'SELECT * FROM "{table}"')
            names = [described[0] for described in selected.description]
            for values in selected:
                # Most rows are as they were at the last look.
                row = self._known.get((table, values))
                if row is None:
                    lasting = {name: value for name, value in zip(names, values, strict=True) if not _moves(value)}
                    row = self._known[table, values] = Row(table, lasting)
                yield row


def _moves(value: Any) -> bool:
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None
