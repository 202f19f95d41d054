"""Whose turn it is, on both databases."""

from __future__ import annotations

import uuid
from collections import Counter
from typing import Any

import pytest

from api.people.plans.tiers import PLANS, PlanTier
from api.platform.jobs import queue
from api.platform.jobs.models import Job
from api.platform.jobs.order import fairness
from api.platform.jobs.states import JobKind
from api.testing.jobs.ends import finish, lease_of
from api.testing.jobs.job_queue import Jobs, NumberedRequest, Recorder


async def test_many_files_of_one_user_delay_another_by_one_job_at_most(jobs: Jobs) -> None:
    for number in range(30):
        await jobs.put(f"ada-{number:02}")
    await jobs.put("bob-1", user="bob")
    await jobs.put("bob-2", user="bob")
    order = [(await jobs.claimed()).request["key"] for _ in range(6)]
    assert order[0] == "ada-00"
    assert order[1:4] == ["bob-1", "ada-01", "bob-2"] or order[1:4] == ["bob-1", "bob-2", "ada-01"]
    assert order[4:] == ["ada-02", "ada-03"]


@pytest.mark.long
async def test_users_take_turns_on_one_slot(jobs: Jobs, recorder: Recorder) -> None:
    """Nobody has a running job at the time of a claim, so the user served longest ago is next."""
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


@pytest.mark.long
async def test_500_files_of_one_user_delay_one_file_of_another_by_one_job_at_most(
    jobs: Jobs, recorder: Recorder
) -> None:
    """With one slot or several, whenever the other user arrives."""
    ada, bob = await jobs.user("ada"), await jobs.user("bob")
    async with jobs.database.write() as session:
        for number in range(500):
            values: dict[str, Any] = {
                "subject_id": uuid.uuid4(),
                "file_id": None,
                "user_id": ada,
                "request": NumberedRequest(key=f"ada-{number}"),
            }
            await queue.enqueue(session, kind=JobKind.UPLOAD, dedup_key=f"ada-{number}", **values)
    running: list[Job] = []
    for slots, came in ((1, 3), (3, 5)):
        for _ in range(came):
            while len(running) >= slots:
                await finish(jobs, recorder, lease_of(running.pop(0)))
            running.append(await jobs.claimed())
        await jobs.put(f"bob-{slots}", user="bob")
        waited = 0
        while True:
            while len(running) >= slots:
                await finish(jobs, recorder, lease_of(running.pop(0)))
            running.append(job := await jobs.claimed())
            if job.user_id == bob:
                break
            waited += 1
        assert waited <= 1


@pytest.mark.long
@pytest.mark.parametrize("slots", [1, 4])
async def test_a_better_plan_gets_more_turns_and_nobody_starves(jobs: Jobs, recorder: Recorder, slots: int) -> None:
    heavy, light = PLANS[PlanTier.ENTERPRISE].priority, PLANS[PlanTier.NONE].priority
    for number in range(30):
        await jobs.put(f"light-{number}", user="light", priority=light)
        await jobs.put(f"heavy-{number}", user="heavy", priority=heavy)
    running: list[Job] = []
    order = []
    for _ in range(25):
        while len(running) >= slots:
            await finish(jobs, recorder, lease_of(running.pop(0)))
        job = await jobs.claimed()
        running.append(job)
        order.append(job.request["key"].split("-")[0])
    turns = Counter(order)
    assert turns["heavy"] > 1.5 * turns["light"], order
    longest = max(len(run) for run in "".join("h" if who == "heavy" else " " for who in order).split())
    assert longest <= 2 * fairness.weight_of(heavy), f"the light plan waited too long: {order}"


async def test_users_without_a_plan_are_equal(jobs: Jobs) -> None:
    job = await jobs.get(await jobs.put("a"))
    assert job.priority == 0
