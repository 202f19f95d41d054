"""Limits on sign-in attempts across all web processes, and floods of attempts that must not stop anybody else."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from contextlib import AsyncExitStack
from typing import Literal

import pytest
from argon2 import PasswordHasher
from fastapi import FastAPI
from sqlalchemy import select, update

from api.app import create_app
from api.people.auth import passwords
from api.people.auth.attempts import LOGIN_ACCOUNT, LOGIN_ADDRESS, LOGIN_PAIR, REGISTER_ADDRESS
from api.people.auth.models import AttemptCount
from api.platform.db import clock
from api.platform.http import deadline
from api.platform.http.errors import TooManyRequests
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD, Browser
from cluster.testing.patience import PATIENCE_S

WRONG = "some other words"
PATHS = ("/dashboard", "/api/files", "/assets/page.js")
STRANGERS = 40


async def sign_in(browser: Browser, email: str, password: str = WRONG) -> int:
    answer = await browser.post("/login", json={"email": email, "password": password})
    assert answer.status_code != 429 or int(answer.headers["Retry-After"]) > 0
    return answer.status_code


async def test_invented_accounts_from_one_address_share_a_limit(visitor: Browser) -> None:
    found = [await sign_in(visitor, f"z{number}@example.com") for number in range(LOGIN_ADDRESS.attempts + 3)]
    assert found == [422] * LOGIN_ADDRESS.attempts + [429] * 3


@pytest.mark.long
async def test_one_account_is_limited_across_all_addresses(ada: Browser, app: FastAPI) -> None:
    found = []
    for number in range(LOGIN_ACCOUNT.attempts + 2):
        async with Browser.open(app, address=f"192.0.2.{number}") as browser:
            found.append(await sign_in(browser, "ADA@example.com"))
    assert found == [422] * LOGIN_ACCOUNT.attempts + [429] * 2


async def test_addresses_of_one_ipv6_network_count_as_one(app: FastAPI) -> None:
    found = []
    for number in range(LOGIN_PAIR.attempts + 1):
        async with Browser.open(app, address=f"2001:db8:1:2:{number}::1") as browser:
            found.append(await sign_in(browser, "ada@example.com"))
    assert found == [422] * LOGIN_PAIR.attempts + [429]
    async with Browser.open(app, address="2001:db8:1:3::1") as browser:
        assert await sign_in(browser, "ada@example.com") == 422


async def test_web_processes_count_together(ada: Browser, visitor: Browser, state: AppState) -> None:
    other = create_app(state.settings)
    async with other.router.lifespan_context(other), Browser.open(other) as elsewhere:
        for browser in (visitor, elsewhere, visitor, elsewhere, visitor):
            assert await sign_in(browser, "ada@example.com") == 422
        assert await sign_in(elsewhere, "ada@example.com", PASSWORD) == 429


@pytest.mark.long
async def test_attempts_are_forgotten_after_a_sign_in_and_when_the_window_ends(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    for _ in range(LOGIN_PAIR.attempts - 1):
        await sign_in(visitor, "ada@example.com")
    assert await sign_in(visitor, "ada@example.com", PASSWORD) == 200
    for _ in range(LOGIN_PAIR.attempts):
        assert await sign_in(visitor, "ada@example.com") == 422
    async with state.database.write() as session:
        await session.execute(update(AttemptCount).values(ends_at=clock.now(-1)))
    assert await sign_in(visitor, "ada@example.com") == 422


async def test_the_table_names_nobody(ada: Browser, visitor: Browser, state: AppState) -> None:
    await sign_in(visitor, "ada@example.com")
    async with state.database.read() as session:
        keys = (await session.scalars(select(AttemptCount.key))).all()
    assert keys
    assert not [key for key in keys if "@" in key or "127.0.0.1" in key]


@pytest.mark.long
async def test_registrations_of_one_address_are_limited(visitor: Browser) -> None:
    found = []
    for number in range(REGISTER_ADDRESS.attempts + 1):
        body = {"name": "Z", "email": f"z{number}@example.com", "password": PASSWORD, "password_confirmation": PASSWORD}
        found.append((await visitor.post("/register", json=body)).status_code)
    assert found == [201] * REGISTER_ADDRESS.attempts + [429]


async def test_a_hash_beyond_the_queue_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "MAX_WAITING", 0)
    with pytest.raises(TooManyRequests):
        await passwords.hash_password(PASSWORD)


class HeldHasher(PasswordHasher):
    """Verifies nothing before `go_on` is set."""

    def __init__(self) -> None:
        super().__init__(memory_cost=8, time_cost=1, parallelism=1)
        self.go_on = threading.Event()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        assert self.go_on.wait(PATIENCE_S)
        return super().verify(hash, password)


@pytest.mark.long
async def test_a_flood_of_sign_ins_stops_nobody_else(settings: ApiSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty strangers at once used to take the service down: their hashes blocked the threads that open files."""
    assert settings.ui_dir is not None
    # On a busy machine the first strangers would be gone before the last ones are here.
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", PATIENCE_S)
    (settings.ui_dir / "assets").mkdir(parents=True)
    (settings.ui_dir / "index.html").write_text("<!doctype html><title>Sagascript</title>")
    (settings.ui_dir / "assets" / "page.js").write_text("export {}")
    app = create_app(settings)
    async with app.router.lifespan_context(app), AsyncExitStack() as stack, asyncio.timeout(PATIENCE_S):
        bystander = await stack.enter_async_context(Browser.open(app))
        await bystander.register("ada")
        strangers = [
            await stack.enter_async_context(Browser.open(app, address=f"192.0.2.{number}"))
            for number in range(STRANGERS)
        ]
        hasher = HeldHasher()
        monkeypatch.setattr(passwords, "_hasher", hasher)
        flood = [
            asyncio.create_task(sign_in(stranger, f"z{number}@example.com"))
            for number, stranger in enumerate(strangers)
        ]
        try:
            while sum(stranger.done() for stranger in flood) < STRANGERS - passwords.MAX_WAITING:
                await asyncio.sleep(0.01)
            # The event loop's own threads open pages, posters and media.
            found = [(await bystander.get(path, headers={"Accept": "text/html"})).status_code for path in PATHS]
        finally:
            hasher.go_on.set()
        refused = Counter(await asyncio.gather(*flood))
    assert found == [200] * len(PATHS)
    assert refused == {422: passwords.MAX_WAITING, 429: STRANGERS - passwords.MAX_WAITING}
