from __future__ import annotations

from api.db.engine import Database
from api.jobs.only_one import only_one
from api.tests.jobs.conftest import Jobs


async def test_one_process_holds_the_lock_until_it_leaves(jobs: Jobs, database_url: str) -> None:
    other = Database(database_url)
    async with only_one(jobs.database) as first, only_one(other) as second:
        assert (first, second) == (True, False)
    async with only_one(other) as after:
        assert after is True
    await other.close()
