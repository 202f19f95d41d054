"""Bring a database to the newest schema. Migrations go forward only."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, MetaData, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from api.platform.db.engine import make_engine
from api.platform.db.schema_copy import copy_before_change
from cluster.wording.message import Wording

# Alembic is imported where it is used: every process looks which schema is the newest, and few migrate.
if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"

TOO_NEW = Wording(
    "db.schema_too_new",
    "The database has schema {found}, and this version knows none after {newest}: a newer version wrote it. Install "
    "that version again, or restore a backup that this one made. Nothing was changed.",
)


NOT_UTF8 = Wording(
    "db.not_utf8",
    "The database keeps texts as {encoding}, which has no letters beyond English. Make one with "
    "CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8', and name it in SAGASCRIPT_DATABASE_URL.",
)


class UnfitDatabase(RuntimeError):
    """This version cannot work with the database. The text is a sentence that says what to do."""


def newest_schema() -> str:
    """The revision to which `upgrade` brings a database: that with the highest number, without importing them all."""
    return max(path.stem[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def alembic_config(url: str) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    # Alembic's parser takes a percent sign for the start of a variable.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def _upgrade(connection: Connection, url: str, revision: str) -> None:
    from alembic import command

    config = alembic_config(url)
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _schema_of(connection: Connection) -> str | None:
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


async def upgrade(url: str, revision: str = "head") -> None:
    """Run the missing migrations in one transaction. Two processes that start together wait for each other.

    A SQLite database that has a schema is copied before (`schema_copy`). Raises `UnfitDatabase`.
    """
    engine = make_engine(url)
    try:
        async with engine.connect() as connection:
            await _require_utf8(connection)
            found = await connection.run_sync(_schema_of)
        if found is not None and found > newest_schema():
            raise UnfitDatabase(TOO_NEW(found=found, newest=newest_schema()))
        if found is not None and found != newest_schema() and engine.dialect.name == "sqlite":
            await asyncio.to_thread(copy_before_change, Path(str(make_url(url).database)), found)
        async with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                await connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7461)")
            await connection.run_sync(_upgrade, url, revision)
    finally:
        await engine.dispose()


async def _require_utf8(connection: AsyncConnection) -> None:
    if connection.dialect.name == "postgresql":
        encoding = await connection.scalar(text("SHOW server_encoding"))
        if encoding != "UTF8":
            raise UnfitDatabase(NOT_UTF8(encoding=encoding))


def upgrade_now(url: str) -> None:
    asyncio.run(upgrade(url))


def _new_revision(connection: Connection, url: str, message: str, metadata: MetaData) -> None:
    from alembic import command

    config = alembic_config(url)
    config.attributes["metadata"] = metadata
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    command.revision(config, message=message, autogenerate=True, rev_id=f"{int(newest_schema()) + 1:04d}")


async def new_revision(url: str, message: str, metadata: MetaData) -> None:
    """Write a migration that brings the schema at `url` to the models in `metadata`."""
    engine = make_engine(url)
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_new_revision, url, message, metadata)
    finally:
        await engine.dispose()
