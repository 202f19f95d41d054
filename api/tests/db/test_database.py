"""Both databases: the schema they get, and that concurrent changes are not lost."""

from __future__ import annotations

import asyncio

from alembic import command
from sqlalchemy import Connection, select

from api.db.engine import Database
from api.db.migrate import alembic_config, upgrade
from api.users.models import User

WRITERS = 60


async def test_migrations_give_the_models_and_run_twice(database_url: str) -> None:
    await upgrade(database_url)
    await upgrade(database_url)
    database = Database(database_url)

    def check(connection: Connection) -> None:
        config = alembic_config(database_url)
        config.attributes["connection"] = connection
        command.check(config)

    async with database.engine.begin() as connection:
        await connection.run_sync(check)
    await database.close()


async def test_concurrent_read_then_write_updates_are_all_kept(database_url: str) -> None:
    await upgrade(database_url)
    database = Database(database_url)
    async with database.write() as session:
        session.add(User(name="0", email="counter@example.com", password_hash="-"))

    async def count_up() -> None:
        async with database.write() as session:
            user = (await session.scalars(select(User).with_for_update())).one()
            await asyncio.sleep(0)
            user.name = str(int(user.name) + 1)

    await asyncio.gather(*(count_up() for _ in range(WRITERS)))
    async with database.read() as session:
        assert await session.scalar(select(User.name)) == str(WRITERS)
    await database.close()


async def test_what_failed_leaves_nothing(database_url: str) -> None:
    await upgrade(database_url)
    database = Database(database_url)
    try:
        async with database.write() as session:
            session.add(User(name="a", email="a@example.com", password_hash="-"))
            await session.flush()
            raise ValueError
    except ValueError:
        pass
    async with database.read() as session:
        assert (await session.scalars(select(User))).all() == []
    await database.close()
