"""Bring a database to the newest schema. Migrations go forward only."""

from __future__ import annotations

import asyncio
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from api.db.engine import make_engine

MIGRATIONS = Path(__file__).parent / "migrations"


def alembic_config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    # Alembic's parser treats a percent sign as the start of a variable.
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def _upgrade(connection: Connection, url: str, revision: str) -> None:
    config = alembic_config(url)
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def upgrade(url: str, revision: str = "head") -> None:
    """Run the migrations that are missing in one transaction; two processes that start together wait for each other."""
    engine = make_engine(url)
    try:
        async with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                await connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7461)")
            await connection.run_sync(_upgrade, url, revision)
    finally:
        await engine.dispose()


def upgrade_now(url: str) -> None:
    asyncio.run(upgrade(url))
