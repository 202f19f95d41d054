"""A PostgreSQL database that a test takes over from another is like a new one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from api.testing.databases.migrated import migrated_database

WRITE = (
    "INSERT INTO outbox (topic, payload, created_at, attempts) VALUES ('t', '{}', now(), 0) RETURNING id, ctid::text"
)
COLUMNS = "SELECT count(*) FROM information_schema.columns WHERE table_name = 'outbox'"


@contextmanager
def database(server: str) -> Iterator[tuple[str, psycopg.Connection[Any]]]:
    """The name of a database, and a connection that nobody closes before it is taken back."""
    with migrated_database(server) as url:
        yield url.rpartition("/")[2], psycopg.connect(url.replace("+psycopg", ""), autocommit=True)


def test_rows_numbers_and_places_do_not_pass_on(postgres_server: str) -> None:
    with database(postgres_server) as (_, connection):
        first = [connection.execute(WRITE).fetchone() for _ in range(3)]
    with database(postgres_server) as (_, connection):
        assert connection.execute("SELECT * FROM outbox").fetchall() == []
        assert [connection.execute(WRITE).fetchone() for _ in range(3)] == first


def test_a_changed_schema_does_not_pass_on(postgres_server: str) -> None:
    with database(postgres_server) as (_, connection):
        columns = connection.execute(COLUMNS).fetchone()
        connection.execute("ALTER TABLE outbox ADD COLUMN more integer")
    with database(postgres_server) as (_, connection):
        assert connection.execute(COLUMNS).fetchone() == columns


def test_the_number_of_another_schema_does_not_pass_on(postgres_server: str) -> None:
    """It made the probes of a later test say that the database was of another version."""
    number = "SELECT version_num FROM alembic_version"
    with database(postgres_server) as (_, connection):
        before = connection.execute(number).fetchone()
        connection.execute("UPDATE alembic_version SET version_num = '9998'")
    with database(postgres_server) as (_, connection):
        assert connection.execute(number).fetchone() == before


def test_who_is_still_connected_does_not_find_it_again(postgres_server: str) -> None:
    with database(postgres_server) as (name, connection):
        pass
    with database(postgres_server) as (later, _):
        assert later != name
        with pytest.raises(psycopg.OperationalError):
            connection.execute(COLUMNS)
