"""A forgotten password: the mail, the link, and what it ends."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import event, select, update

from api.people.account.limits import FORGOT_MAIL
from api.people.account.models import PasswordReset
from api.people.account.passwords import forgot
from api.people.auth.models import AttemptCount
from api.platform.db import clock
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser
from api.testing.mailbox import Mailbox
from api.tests.account.conftest import Link, open_reset

NEW = "seven green bicycles"


async def ask(browser: Browser, email: str) -> int:
    return (await browser.post("/forgot-password", json={"email": email})).status_code


async def forget_waits(state: AppState) -> None:
    """The next mail need not wait for its minute."""
    async with state.database.write() as session:
        await session.execute(update(AttemptCount).values(ends_at=clock.now(-1)))


async def test_a_link_sets_a_password_once_and_signs_out_everywhere(
    ada: Browser, visitor: Browser, mailbox: Mailbox
) -> None:
    assert await ask(visitor, "Ada@Example.com") == 204
    link = await mailbox.link("ada@example.com")
    assert (await open_reset(visitor, link, NEW)).status_code == 204
    assert (await ada.get("/api/user")).status_code == 401
    again = await open_reset(visitor, link, "another long password")
    assert (again.status_code, again.json()["code"]) == (422, "link_expired")
    login = {"email": "ada@example.com", "password": PASSWORD}
    assert (await visitor.post("/login", json=login)).status_code == 422
    answer = await visitor.post("/login", json=login | {"password": NEW})
    assert answer.status_code == 200
    assert answer.json()["data"]["email_verified"] is True, "the mail with the link arrived"
    assert (await mailbox.newest("ada@example.com")).subject == "Your password was changed"


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_link_serves_only_its_account_and_its_hour(
    ada: Browser, bob: Browser, visitor: Browser, state: AppState, mailbox: Mailbox
) -> None:
    await ask(visitor, "ada@example.com")
    link = await mailbox.link("ada@example.com")
    stolen = link.replace("ada%40", "bob%40")
    assert (await open_reset(visitor, stolen, NEW)).json()["code"] == "link_expired"
    async with state.database.write() as session:
        await session.execute(update(PasswordReset).values(expires_at=clock.now(-1)))
    assert (await open_reset(visitor, link, NEW)).json()["code"] == "link_expired"
    assert (await ada.get("/api/user")).status_code == 200


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_only_the_newest_link_works_and_the_token_is_stored_nowhere(
    ada: Browser, visitor: Browser, state: AppState, mailbox: Mailbox
) -> None:
    await ask(visitor, "ada@example.com")
    first = await mailbox.link("ada@example.com")
    await forget_waits(state)
    await ask(visitor, "ada@example.com")
    async with state.database.read() as session:
        stored = (await session.scalars(select(PasswordReset.token_hash))).all()
    assert Link.of(first, "/reset/").first not in stored
    assert (await open_reset(visitor, first, NEW)).json()["code"] == "link_expired"
    assert (await open_reset(visitor, await mailbox.link("ada@example.com"), NEW)).status_code == 204


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_weak_password_and_a_wrong_confirmation_leave_the_link_usable(
    ada: Browser, visitor: Browser, mailbox: Mailbox
) -> None:
    await ask(visitor, "ada@example.com")
    link = await mailbox.link("ada@example.com")
    for password in ("password123", "short"):
        assert list((await open_reset(visitor, link, password)).json()["errors"]) == ["password"]
    assert (await open_reset(visitor, link, NEW)).status_code == 204


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_an_unknown_address_gets_the_same_answer_and_no_mail(
    ada: Browser, visitor: Browser, state: AppState, mailbox: Mailbox
) -> None:
    assert await ask(visitor, "nobody@example.com") == await ask(visitor, "ada@example.com") == 204
    assert await mailbox.letters("nobody@example.com") == []
    for email in ("nobody@example.com", "ada@example.com"):
        answer = await visitor.post("/forgot-password", json={"email": email})
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= FORGOT_MAIL.window_s + 1


async def test_an_unknown_address_takes_the_same_statements(ada: Browser, state: AppState) -> None:
    statements: list[str] = []

    mine = asyncio.current_task()

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        # The app has tasks of its own, such as the one that deletes old tokens.
        if asyncio.current_task() is mine:
            statements.append(statement)

    engine = state.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    seen = []
    for email in ("ada@example.com", "nobody@example.com"):
        statements.clear()
        async with state.database.write() as session:
            await forgot(session, state.settings, email)
        seen.append(list(statements))
    event.remove(engine, "before_cursor_execute", note)
    assert seen[0] == seen[1] != []
