"""Migrations of a filled database lose and change nothing, on SQLite and PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, ForeignKeyConstraint, MetaData, Table, insert, inspect, select

from api.platform.db.engine import Database
from api.platform.db.migrate import alembic_config, upgrade

Snapshot = dict[str, list[dict[str, Any]]]

REVISIONS = [script.revision for script in ScriptDirectory.from_config(alembic_config("sqlite://")).walk_revisions()]
FIRST, *LATER = sorted(REVISIONS)
ROWS_EACH = 2
SHARED_IDS = {("tus_uploads", "id"), ("uploads", "tus_id")}
"""Columns that refer to each other without a foreign key."""
TOLD_LATER = ("tus_uploads", "storage_key")
"""Empty until 0002, which tells the uploads under way what object they become."""
DROPPED = {("tus_uploads", "sha256"), ("files", "sha256"), ("teams", "is_active")}
"""Columns that a later migration removed on purpose."""
RENAMED_TABLES = {"transcriptions": "caption_tracks"}
RENAMED_COLUMNS = {(table, "transcription_id"): "track_id" for table in ("caption_lines", "caption_revisions")}
TRACKS_SINCE = "0011"
DROPPED_TABLES = {"translations"}
"""No version ever wrote a row there."""


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    return bare_database_url


def tables_of(connection: Connection) -> MetaData:
    """The tables with their columns and keys. Reading their indexes and checks too took most of these tests."""
    found = MetaData()
    inspector = inspect(connection)
    primary, foreign = inspector.get_multi_pk_constraint(), inspector.get_multi_foreign_keys()
    for place, columns in inspector.get_multi_columns().items():
        name = place[1]
        # The index of the search on SQLite, which triggers fill.
        if name == "alembic_version" or name.startswith("search_"):
            continue
        key = primary[place]["constrained_columns"]
        Table(
            name,
            found,
            *(Column(each["name"], each["type"], primary_key=each["name"] in key) for each in columns),
            *(
                ForeignKeyConstraint(
                    each["constrained_columns"],
                    [f"{each['referred_table']}.{column}" for column in each["referred_columns"]],
                )
                for each in foreign[place]
            ),
        )
    return found


def shapes_of(tables: MetaData) -> dict[str, list[tuple[str, str]]]:
    return {
        table.name: [(column.name, repr(column.type)) for column in table.columns] for table in tables.sorted_tables
    }


def with_parents(tables: MetaData, names: Collection[str]) -> set[str]:
    """These tables and those that they refer to."""
    found = set(names)
    for table in reversed(tables.sorted_tables):
        if table.name in found:
            found |= {key.column.table.name for key in table.foreign_keys}
    return found


def value_of(column: Column[Any], number: int, written: Snapshot, first: int) -> Any:
    """The key of a row that was written before, or something of the column's type."""
    place = (column.table.name, column.name)
    for key in column.foreign_keys:
        parent = key.column
        return None if parent.table is column.table else written[parent.table.name][number][parent.name]
    if place in SHARED_IDS:
        return f"tus{first + number}"
    if place == TOLD_LATER:
        return None
    kind = column.type.python_type
    values: dict[type[Any], Any] = {
        uuid.UUID: uuid.uuid4(),
        str: uuid.uuid4().hex[: getattr(column.type, "length", None)],
        bytes: uuid.uuid4().bytes,
        bool: bool(number),
        int: first + number + 1,
        float: 0.5,
        datetime: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        object: {"number": first + number},
    }
    return values[kind]


def fill(connection: Connection, tables: MetaData, names: Collection[str], first: int = 0) -> None:
    """Two more rows in each of these tables.

    `first` numbers them, so that unique values differ from those of earlier calls.
    """
    written: Snapshot = {}
    for table in ordered(tables, names):
        rows = written[table.name] = []
        for number in range(ROWS_EACH):
            rows.append({column.name: value_of(column, number, written, first) for column in table.columns})
        connection.execute(insert(table), rows)


def ordered(tables: MetaData, names: Collection[str]) -> list[Table]:
    return [table for table in tables.sorted_tables if table.name in names]


def look(connection: Connection, tables: MetaData, names: Collection[str]) -> Snapshot:
    return {
        table.name: [
            dict(row) for row in connection.execute(select(table).order_by(*table.primary_key.columns)).mappings()
        ]
        for table in ordered(tables, names)
    }


def survivors(before: Snapshot, after: Snapshot) -> tuple[Snapshot, Snapshot]:
    """The rows of both, as far as the migration between them had to leave them alone."""
    expected, found = {}, {}
    for table, rows in before.items():
        if table in DROPPED_TABLES and table not in after:
            continue
        later = after[RENAMED_TABLES.get(table, table) if table not in after else table]
        columns = {name: new_name(table, name, later[0]) for name in rows[0] if not is_dropped(table, name, later[0])}
        expected[table] = [{new: row[old] for old, new in columns.items()} for row in rows]
        found[table] = [{new: row[new] for new in columns.values()} for row in later]
    return expected, found


def new_name(table: str, column: str, row: dict[str, Any]) -> str:
    return column if column in row else RENAMED_COLUMNS.get((table, column), column)


def is_dropped(table: str, column: str, row: dict[str, Any]) -> bool:
    return (table, column) == TOLD_LATER or ((table, column) in DROPPED and column not in row)


@pytest.mark.long
async def test_what_was_there_is_there_after_every_later_migration(database_url: str) -> None:
    """One database goes from the first schema to the newest, and gets rows of every form that a table ever had."""
    await upgrade(database_url, FIRST)
    database = Database(database_url)
    after: Snapshot = {}
    shapes: dict[str, Any] = {}
    async with database.engine.begin() as connection:
        tables = await connection.run_sync(tables_of)
    for index, revision in enumerate(LATER):
        known, shapes = shapes, shapes_of(tables)
        names = with_parents(tables, [name for name, shape in shapes.items() if shape != known.get(name)])
        async with database.engine.begin() as connection:
            await connection.run_sync(fill, tables, names, index * ROWS_EACH)
            before = after | await connection.run_sync(look, tables, names)
        await upgrade(database_url, revision)
        async with database.engine.begin() as connection:
            tables = await connection.run_sync(tables_of)
            after = await connection.run_sync(look, tables, tables.tables)
            if database.is_sqlite:
                assert (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all() == []
        expected, found = survivors(before, after)
        assert found == expected, revision
        if revision == "0002":
            uploads = {upload["tus_id"]: uuid.UUID(str(upload["id"])) for upload in after["uploads"]}
            assert {row["id"]: row["storage_key"] for row in after["tus_uploads"]} == {
                tus_id: f"uploads/{upload}/original" for tus_id, upload in uploads.items()
            }
        if revision == TRACKS_SINCE:
            assert {row["origin"] for row in after["caption_tracks"]} == {"transcription"}
            transcriptions = {row["file_id"]: row["id"] for row in after["caption_tracks"]}
            assert [row["track_id"] for row in after["exports"]] == [
                transcriptions[row["file_id"]] for row in after["exports"]
            ]
    await database.close()


@pytest.mark.long
async def test_jobs_of_an_earlier_version_get_the_file_they_belong_to(database_url: str) -> None:
    await upgrade(database_url, "0009")
    database = Database(database_url)
    async with database.engine.begin() as connection:
        tables = await connection.run_sync(tables_of)
        await connection.run_sync(fill, tables, tables.tables)
        jobs, exports = tables.tables["jobs"], tables.tables["exports"]
        (first, second), export = (
            (await connection.execute(select(jobs.c.id))).all(),
            (await connection.execute(select(exports.c.id, exports.c.file_id).limit(1))).one(),
        )
        await connection.execute(jobs.update().where(jobs.c.id == first.id).values(kind="upload"))
        values = {"kind": "export", "subject_id": export.id}
        await connection.execute(jobs.update().where(jobs.c.id == second.id).values(values))
    await upgrade(database_url)
    async with database.engine.begin() as connection:
        tables = await connection.run_sync(tables_of)
        jobs = tables.tables["jobs"]
        found = {row.id: (row.subject_id, row.file_id) for row in await connection.execute(select(jobs))}
    await database.close()
    assert found[first.id][1] == found[first.id][0]
    assert found[second.id][1] == export.file_id
