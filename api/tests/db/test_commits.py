"""What is kept until the next commit: never used after one, whoever made it, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import delete, update

from api.people.auth import sessions
from api.people.auth.cookies import session_cookie
from api.people.teams.models import Membership
from api.people.users.models import BrowserSession, User
from api.platform.db.engine import Database
from api.platform.db.sharing import SharedReads, SharedRun
from api.platform.db.unchanged import Unchanged
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp


async def _rename(database: Database, browser: Browser, name: str) -> None:
    async with database.write() as session:
        await session.execute(update(User).where(User.id == browser.user_id).values(name=name))


async def test_marks_differ_after_a_commit_of_any_process(ada: Browser, state: AppState) -> None:
    marks = state.database.commits
    other = Database(state.settings.db_url)
    try:
        first = await marks.mark()
        assert first is not None
        async with state.database.read() as session:
            await session.get(User, ada.user_id)
        assert await marks.mark() == first
        await _rename(other, ada, "Ada L.")
        second = await marks.mark()
        assert second != first
        await _rename(state.database, ada, "Ada")
        assert await marks.mark() not in (first, second)
        async with other.write() as session:
            await session.execute(update(User).where(User.id == ada.user_id).values(name="Half"))
            third = await marks.mark()
            assert await marks.mark() == third
        assert await marks.mark() != third
    finally:
        await other.close()


async def test_a_session_that_another_process_ends_is_refused_at_once(ada: Browser, state: AppState) -> None:
    other = Database(state.settings.db_url)
    try:
        for _ in range(3):
            assert (await ada.get("/api/files")).status_code == 200
        async with other.write() as session:
            await session.execute(delete(BrowserSession).where(BrowserSession.user_id == ada.user_id))
        assert (await ada.get("/api/files")).status_code == 401
    finally:
        await other.close()


@pytest.mark.long
async def test_a_lost_role_counts_at_once(ada: Browser, state: AppState) -> None:
    other = Database(state.settings.db_url)
    try:
        team = (await ada.post("/api/teams", json={"name": "Crew"})).json()["data"]["id"]
        headers = {"X-Active-Team": team}
        for _ in range(3):
            assert (await ada.get("/api/files", headers=headers)).status_code == 200
        async with other.write() as session:
            await session.execute(delete(Membership).where(Membership.user_id == ada.user_id))
        assert (await ada.get("/api/files", headers=headers)).status_code == 422
        async with other.write() as session:
            await session.execute(update(User).where(User.id == ada.user_id).values(is_admin=True))
        assert (await ada.get("/api/admin/users")).status_code == 200
        async with other.write() as session:
            await session.execute(update(User).where(User.id == ada.user_id).values(is_admin=False))
        assert (await ada.get("/api/admin/users")).status_code == 403
    finally:
        await other.close()


async def test_nobody_gets_the_result_of_a_run_that_began_before_they_asked() -> None:
    runs = 0
    may_end = asyncio.Event()

    async def work() -> int:
        nonlocal runs
        runs += 1
        mine = runs
        await may_end.wait()
        return mine

    shared = SharedRun(work)
    first = asyncio.create_task(shared.result())
    while runs == 0:
        await asyncio.sleep(0)
    later = [asyncio.create_task(shared.result()) for _ in range(5)]
    await asyncio.sleep(0)
    may_end.set()
    assert await first == 1
    assert set(await asyncio.gather(*later)) == {2}


async def test_a_failed_run_fails_for_its_callers_and_the_next_one_runs_again() -> None:
    outcomes = iter([RuntimeError("away"), None])

    async def work() -> str:
        problem = next(outcomes)
        if problem is not None:
            raise problem
        return "here"

    shared = SharedRun(work)
    found = await asyncio.gather(shared.result(), return_exceptions=True)
    assert isinstance(found[0], RuntimeError)
    assert await shared.result() == "here"


async def test_keys_that_come_while_others_are_read_are_read_together_and_after_that() -> None:
    batches: list[list[str]] = []
    may_end = asyncio.Event()

    async def read(keys: Sequence[str]) -> dict[str, str]:
        batches.append([*keys])
        await may_end.wait()
        return {key: key.upper() for key in keys if key != "nobody"}

    shared: SharedReads[str, str] = SharedReads(most=3)
    first = asyncio.create_task(shared.result("a", read))
    while not batches:
        await asyncio.sleep(0)
    later = [asyncio.create_task(shared.result(key, read)) for key in ("a", "b", "b", "nobody", "c")]
    await asyncio.sleep(0)
    assert batches == [["a"]]
    may_end.set()
    assert await first == "A"
    assert await asyncio.gather(*later) == ["A", "B", "B", None, "C"]
    assert batches == [["a"], ["a", "b", "nobody"], ["c"]]


async def test_a_failed_read_fails_for_its_keys_alone() -> None:
    async def read(keys: Sequence[str]) -> dict[str, str]:
        if "bad" in keys:
            raise RuntimeError("away")
        return {key: key for key in keys}

    shared: SharedReads[str, str] = SharedReads(most=1)
    bad, good = await asyncio.gather(shared.result("bad", read), shared.result("good", read), return_exceptions=True)
    assert isinstance(bad, RuntimeError)
    assert good == "good"


async def test_sessions_that_are_read_together_stay_apart(sign_up: SignUp, state: AppState) -> None:
    people = [await sign_up(name) for name in ("ada", "grace", "joan")]
    tokens = [person.cookies[session_cookie(state.settings)] for person in people]
    found = await asyncio.gather(*(sessions.read(state.database, token) for token in [*tokens, "unknown"]))
    assert [each and each.user.id for each in found] == [*(person.user_id for person in people), None]


def test_kept_values_are_of_one_mark_and_bounded() -> None:
    kept: Unchanged[str, str] = Unchanged(limit=2)
    kept.put(1, 1, "a", "A")
    kept.put(1, 2, "b", "read across a commit")
    kept.put(None, None, "c", "without a mark")
    assert [kept.get(1, key) is None for key in "abc"] == [False, True, True]
    assert kept.get(None, "a") is None
    assert kept.get(2, "a") is None
    for key in "de":
        kept.put(1, 1, key, key)
    assert [kept.get(1, key) is None for key in "ade"] == [True, False, False]
    kept.put(2, 2, "f", "F")
    assert kept.get(1, "d") is None
