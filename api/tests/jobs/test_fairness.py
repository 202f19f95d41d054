"""Whose turn it is, on both databases."""

from __future__ import annotations

from collections import Counter

from api.tests.jobs.conftest import Jobs, Recorder
from api.tests.jobs.ends import finish, lease_of


async def test_many_files_of_one_user_delay_another_by_one_job_at_most(jobs: Jobs) -> None:
    for number in range(30):
        await jobs.put(f"ada-{number:02}")
    await jobs.put("bob-1", user="bob")
    await jobs.put("bob-2", user="bob")
    order = [(await jobs.claimed()).request["key"] for _ in range(6)]
    assert order[0] == "ada-00"
    assert order[1:4] == ["bob-1", "ada-01", "bob-2"] or order[1:4] == ["bob-1", "bob-2", "ada-01"]
    assert order[4:] == ["ada-02", "ada-03"]


async def test_users_take_turns_when_one_slot_is_free(jobs: Jobs, recorder: Recorder) -> None:
    """Nobody has anything running at the moment of a claim, so the one served longest ago is next."""
    for number in range(4):
        for user in ("ada", "bob", "eve"):
            await jobs.put(f"{user}-{number}", user=user)
    order = []
    for _ in range(9):
        job = await jobs.claimed()
        order.append(job.request["key"].split("-")[0])
        await finish(jobs, recorder, lease_of(job))
    assert [Counter(order[start : start + 3]) for start in (0, 3, 6)] == [Counter(("ada", "bob", "eve"))] * 3


async def test_within_a_user_priority_goes_before_age(jobs: Jobs, recorder: Recorder) -> None:
    for key, priority in (("old", 0), ("urgent", 5), ("new", 0)):
        await jobs.put(key, priority=priority)
    assert [(await jobs.claimed()).request["key"] for _ in range(3)] == ["urgent", "old", "new"]
