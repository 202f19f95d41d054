"""The rows of a world's SQLite database, read beside the app, and a state of it to return to."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import make_url

from api.db.base import Base

UNWATCHED = frozenset({"attempt_counts", "alembic_version", "audit_entries"})
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T].*")
"""Moments change while nobody changes anything."""


@dataclass(frozen=True, slots=True)
class Row:
    table: str
    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        return f"{self.table} {json.dumps(self.values, sort_keys=True, default=str, ensure_ascii=False)}"


class Rows:
    def __init__(self, url: str) -> None:
        path = make_url(url).database
        assert path is not None
        self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._connection.row_factory = sqlite3.Row
        self._connection.execute("PRAGMA synchronous=OFF")
        self._saved = sqlite3.connect(Path(path).with_suffix(".saved"), timeout=60)
        self._version = -1
        self._rows: list[Row] = []
        self._texts: list[tuple[str, str, str]] = []

    def close(self) -> None:
        self._connection.close()
        self._saved.close()

    def save(self) -> None:
        self._connection.backup(self._saved)

    def restore(self) -> None:
        self._saved.backup(self._connection)
        self._version = -1

    def every(self) -> list[Row]:
        """All rows. Tables are read again only after a change."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._rows = list(self._read())
            self._texts = []
            self._version = version
        return self._rows

    def naming(self, words: Collection[str], tables: Collection[str] | None = None) -> frozenset[str]:
        """The rows that hold one of these words, which are ids without dashes or texts."""
        rows = self.every()
        if not self._texts:
            self._texts = [(row.table, text := row.text, text.replace("-", "")) for row in rows]
        return frozenset(
            text
            for table, text, bare in self._texts
            if (tables is None or table in tables) and any(word in bare for word in words)
        )

    def _read(self) -> Iterator[Row]:
        for table in Base.metadata.sorted_tables:
            if table.name in UNWATCHED:
                continue
            for row in self._connection.execute(f'SELECT * FROM "{table.name}"'):
                yield Row(table.name, {key: row[key] for key in row.keys() if not _moves(row[key])})  # noqa: SIM118


def _moves(value: Any) -> bool:
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None
