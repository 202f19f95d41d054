from __future__ import annotations

import pytest

from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.sending.only_one import only_one
from api.testing.jobs.job_queue import Jobs


async def test_one_process_holds_the_lock_until_it_leaves(jobs: Jobs, database_url: str) -> None:
    other = Database(database_url)
    async with only_one(jobs.database) as first, only_one(other) as second:
        assert first is not None
        assert second is None
    async with only_one(other) as after:
        assert after is not None
    await other.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_silent_holder_loses_the_lock_and_finds_out(jobs: Jobs, database_url: str) -> None:
    other = Database(database_url)
    async with only_one(jobs.database) as first:
        assert first is not None
        async with only_one(other) as second:
            assert second is None, "it spoke just now"
        await first()
        async with only_one(other, silent_s=0):
            pass
        async with only_one(other) as second:
            assert second is not None
        for _loop in ("the first to confirm", "another one of the same process"):
            with pytest.raises(DATABASE_AWAY):
                await first()
    await other.close()
