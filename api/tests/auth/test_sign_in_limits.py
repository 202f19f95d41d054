"""Limits on sign-in attempts across all web processes, and floods of attempts that must not stop anybody else."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.app import create_app
from api.auth import passwords
from api.auth.attempts import LOGIN_ACCOUNT, LOGIN_ADDRESS, LOGIN_PAIR, REGISTER_ADDRESS
from api.auth.models import AttemptCount
from api.db import clock
from api.http.errors import TooManyRequests
from api.http.state import AppState
from api.testing.browser import PASSWORD, Browser
from api.testing.web_process import csrf, running_web
from cluster.testing.patience import PATIENCE_S

WRONG = "some other words"
PATHS = ("/dashboard", "/api/files", "/assets/page.js")
ROUNDS = 8


async def sign_in(browser: Browser, email: str, password: str = WRONG) -> int:
    answer = await browser.post("/login", json={"email": email, "password": password})
    assert answer.status_code != 429 or int(answer.headers["Retry-After"]) > 0
    return answer.status_code


async def test_invented_accounts_from_one_address_share_a_limit(visitor: Browser) -> None:
    found = [await sign_in(visitor, f"z{number}@example.com") for number in range(LOGIN_ADDRESS.attempts + 3)]
    assert found == [422] * LOGIN_ADDRESS.attempts + [429] * 3


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
    assert not [key for key in keys if "ada" in key or "127.0.0.1" in key]


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


def _status(client: httpx.Client, path: str) -> int:
    """As pages call: again after a 503, which a call gets that meets its deadline on a busy machine."""
    end = time.monotonic() + PATIENCE_S
    while True:
        status = client.get(path, headers={"Accept": "text/html"}).status_code
        if status != 503 or time.monotonic() > end:
            return status


def test_a_flood_of_sign_ins_stops_nobody_else(tmp_path: Path) -> None:
    """Forty strangers at once used to take the service down: their hashes blocked the threads that open files."""
    with running_web(tmp_path) as web, web.client() as bystander:
        body = {"name": "Ada", "email": "ada@example.com", "password": PASSWORD, "password_confirmation": PASSWORD}
        assert bystander.post("/register", json=body, headers=csrf(bystander)).status_code == 201
        over = threading.Event()
        strangers: Counter[int] = Counter()

        def attack(number: int) -> None:
            with web.client() as stranger:
                for tried in range(1_000):
                    if over.is_set():
                        return
                    tried_body = {"email": f"z{number}-{tried}@example.com", "password": "xxxxxxxx"}
                    # No proxy is trusted here, so a forged address does not help.
                    headers = csrf(stranger) | {"X-Forwarded-For": f"192.0.2.{tried % 250}"}
                    strangers[stranger.post("/login", json=tried_body, headers=headers).status_code] += 1

        began = time.monotonic()
        threads = [threading.Thread(target=attack, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        try:
            # The event loop's own threads open pages, posters and media.
            found = Counter(_status(bystander, path) for path in PATHS * ROUNDS)
        finally:
            over.set()
            for thread in threads:
                thread.join()
        assert found == {200: len(PATHS) * ROUNDS}
        # 503: on a busy machine a call may reach its deadline.
        assert set(strangers) <= {422, 429, 503}
        windows = 1 + int((time.monotonic() - began) / LOGIN_ADDRESS.window_s)
        assert strangers[422] <= LOGIN_ADDRESS.attempts * windows
        assert strangers[429] > 0
