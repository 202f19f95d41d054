"""The rows of a world's database, read beside the app, and a state of it to return to."""

from __future__ import annotations

import json
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier
from sqlalchemy import make_url

import api.tables  # noqa: F401
from api.platform.db.base import Base
from cluster.testing.patience import PATIENCE_S

UNWATCHED = frozenset({"attempt_counts", "alembic_version", "audit_entries"})
_TABLES = [table.name for table in Base.metadata.sorted_tables if table.name not in UNWATCHED]
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T].*")
"""Moments change while nobody changes anything."""
_READINGS = ("billing_accounts", "revision")
"""Counts how often an account was read from Stripe, which looking at it does."""


@dataclass(frozen=True, eq=False)
class Row:
    """One form of a row: it is one object however often it is read."""

    table: str
    values: Mapping[str, Any]

    @cached_property
    def text(self) -> str:
        return _text(self.table, self.values)

    def text_without(self, columns: Collection[str]) -> str:
        if self.values.keys().isdisjoint(columns):
            return self.text
        return _text(self.table, {name: value for name, value in self.values.items() if name not in columns})

    @cached_property
    def bare(self) -> str:
        """The text without dashes."""
        return self.text.replace("-", "")


def _text(table: str, values: Mapping[str, Any]) -> str:
    return f"{table} {json.dumps(values, sort_keys=True, default=str, ensure_ascii=False)}"


class Rows(ABC):
    """All rows, read again only after a change."""

    def __init__(self) -> None:
        self._version = ""
        self._rows: list[Row] = []
        self._saved_rows: list[Row] = []
        self._known: dict[tuple[str, Any], Row] = {}

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _save(self) -> None: ...

    @abstractmethod
    def _restore(self) -> None: ...

    @abstractmethod
    def _data_version(self) -> str:
        """Another text after every change."""

    @abstractmethod
    def _read(self) -> Iterator[Row]: ...

    def save(self) -> None:
        self._save()
        self._saved_rows = self.every()

    def restore(self) -> None:
        self._restore()
        self._rows, self._version = self._saved_rows, self._data_version()

    def every(self) -> list[Row]:
        version = self._data_version()
        if version != self._version:
            self._rows = list(self._read())
            self._version = version
        return self._rows

    def naming(
        self, words: Collection[str], tables: Collection[str] | None = None, *, without: Collection[str] = ()
    ) -> frozenset[str]:
        """The rows that hold one of these words, which are ids without dashes or texts; `without` these columns."""
        return frozenset(
            row.text_without(without)
            for row in self.every()
            if (tables is None or row.table in tables) and any(word in row.bare for word in words)
        )


class SqliteRows(Rows):
    def __init__(self, url: str) -> None:
        super().__init__()
        path = make_url(url).database
        assert path is not None
        self._connection = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None)
        self._connection.execute("PRAGMA synchronous=OFF")
        self._saved = sqlite3.connect(Path(path).with_suffix(".saved"), timeout=PATIENCE_S)

    def close(self) -> None:
        self._connection.close()
        self._saved.close()

    def _save(self) -> None:
        self._connection.backup(self._saved)

    def _restore(self) -> None:
        self._saved.backup(self._connection)

    def _data_version(self) -> str:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return str(version)

    def _read(self) -> Iterator[Row]:
        for table in _TABLES:
            selected = self._connection.execute(f'SELECT * FROM "{table}"')
            names = [described[0] for described in selected.description]
            for values in selected:
                # Most rows are as they were at the last look.
                row = self._known.get((table, values))
                if row is None:
                    row = self._known[table, values] = Row(
                        table, _lasting(table, dict(zip(names, values, strict=True)))
                    )
                yield row


class PostgresRows(Rows):
    """The saved state is a schema beside the tables."""

    def __init__(self, url: str) -> None:
        super().__init__()
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._connection = psycopg.connect(plain, autocommit=True)
        self._columns: dict[str, list[str]] = {}
        for table, column in self._connection.execute(
            "SELECT table_name, column_name FROM information_schema.columns"
            " WHERE table_schema = 'public' AND is_generated = 'NEVER'"
        ):
            self._columns.setdefault(table, []).append(column)
        self._columns.pop("alembic_version")

    def close(self) -> None:
        self._connection.close()

    def _save(self) -> None:
        with self._connection.transaction():
            self._connection.execute("DROP SCHEMA IF EXISTS saved CASCADE")
            self._connection.execute("CREATE SCHEMA saved")
            for table in self._columns:
                self._connection.execute(SQL("CREATE TABLE saved.{0} AS TABLE public.{0}").format(Identifier(table)))

    def _restore(self) -> None:
        with self._connection.transaction():
            # No trigger and no foreign key looks at rows that were right before.
            self._connection.execute("SET LOCAL session_replication_role = replica")
            every = SQL(", ").join(SQL("public.{}").format(Identifier(table)) for table in self._columns)
            self._connection.execute(SQL("TRUNCATE {}").format(every))
            for table, columns in self._columns.items():
                names = SQL(", ").join(map(Identifier, columns))
                self._connection.execute(
                    SQL("INSERT INTO public.{0} ({1}) OVERRIDING SYSTEM VALUE SELECT {1} FROM saved.{0}").format(
                        Identifier(table), names
                    )
                )

    def _data_version(self) -> str:
        row = self._connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
        assert row is not None
        return str(row[0])

    def _read(self) -> Iterator[Row]:
        for table in _TABLES:
            texts = self._connection.execute(
                SQL("SELECT to_jsonb(row)::text FROM public.{} AS row").format(Identifier(table))
            )
            for (text,) in texts:
                row = self._known.get((table, text))
                if row is None:
                    row = self._known[table, text] = Row(table, _lasting(table, json.loads(text)))
                yield row


def rows_of(url: str) -> Rows:
    return SqliteRows(url) if url.startswith("sqlite") else PostgresRows(url)


def _lasting(table: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if (table, name) != _READINGS and not _moves(value)}


def _moves(value: Any) -> bool:
    return isinstance(value, str) and _MOMENT.fullmatch(value) is not None
