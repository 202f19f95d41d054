"""Signing in with a password and a code, and every way around the code that somebody would try."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from api.people.second_factor import limits
from api.people.second_factor.models import TrustedBrowser, WaitingSignIn
from api.platform.db import clock as database_clock
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.mailbox import Mailbox
from api.tests.second_factor.conftest import Clock, Phone, add_phone

ADA = {"email": "ada@example.com", "password": PASSWORD}


async def give(browser: Browser, code: str, **more: object) -> httpx2.Response:
    return await browser.post("/login/code", json={"code": code, **more})


async def is_in(browser: Browser) -> bool:
    return (await browser.get("/api/user")).status_code == 200


async def test_the_password_alone_opens_nothing(visitor: Browser, phone: Phone) -> None:
    answer = await visitor.post("/login", json=ADA)
    assert (answer.status_code, answer.json()["code"]) == (409, "code_needed")
    assert not await is_in(visitor)


async def test_password_and_code_sign_in(visitor: Browser, ada: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    answer = await give(visitor, phone.code())
    assert answer.status_code == 200
    user = answer.json()["data"]
    assert (user["id"], user["has_second_factor"]) == (str(ada.user_id), True)
    assert await is_in(visitor)


async def test_people_may_type_blanks(visitor: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    code = phone.code()
    assert (await give(visitor, f" {code[:3]} {code[3:]} ")).status_code == 200


async def test_a_code_serves_once(visitor: Browser, phone: Phone) -> None:
    code = phone.code()
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, code)).status_code == 200
    await visitor.post("/api/user/logout")
    await visitor.post("/login", json=ADA)
    assert list((await give(visitor, code)).json()["errors"]) == ["code"]
    assert not await is_in(visitor)


async def test_an_earlier_code_is_worth_nothing_after_a_later_one(visitor: Browser, phone: Phone) -> None:
    first, second = phone.code(), phone.code()
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, second)).status_code == 200
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, first)).status_code == 422


@pytest.mark.long
@pytest.mark.parametrize(("late_s", "status"), [(-30, 200), (30, 200), (-90, 422), (90, 422)])
async def test_clocks_may_differ_by_half_a_minute(
    late_s: int, status: int, visitor: Browser, phone: Phone, clock: Clock
) -> None:
    clock.now += 600
    code = phone.code()
    clock.now += late_s
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, code)).status_code == status


async def test_a_recovery_code_stands_in_once(visitor: Browser, ada: Browser, phone: Phone) -> None:
    assert len(set(phone.codes)) == 10
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, phone.codes[0].upper())).status_code == 200
    assert (await ada.get("/api/user/second-factor")).json()["data"]["recovery_codes"] == 9
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, phone.codes[0])).status_code == 422


@pytest.mark.long
@pytest.mark.parametrize("code", ["000000", "12345", "1234567", "abcdef", "' OR 1=1", "٠٠٠٠٠٠", " ", "-" * 30], ids=str)
async def test_other_codes_open_nothing(code: str, visitor: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    assert (await give(visitor, code)).status_code == 422
    assert not await is_in(visitor)


async def test_a_code_without_the_password_opens_nothing(
    visitor: Browser, phone: Phone, sign_up: SignUp, app: FastAPI
) -> None:
    assert (await give(visitor, phone.code())).json()["code"] == "code_stale"
    # Nor does the wait of another browser help.
    await visitor.post("/login", json=ADA)
    async with Browser.open(app) as other:
        assert (await give(other, phone.code())).json()["code"] == "code_stale"


async def test_a_wrong_password_waits_for_no_code(visitor: Browser, phone: Phone) -> None:
    await visitor.post("/login", json={**ADA, "password": "something else"})
    assert (await give(visitor, phone.code())).json()["code"] == "code_stale"


async def test_a_wait_ends_after_ten_minutes(visitor: Browser, phone: Phone, state: AppState) -> None:
    await visitor.post("/login", json=ADA)
    async with state.database.write() as session:
        await session.execute(update(WaitingSignIn).values(expires_at=database_clock.now(-1)))
    assert (await give(visitor, phone.code())).json()["code"] == "code_stale"


async def test_a_new_password_ends_the_wait_for_the_old_one(visitor: Browser, ada: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    body = {
        "password_old": PASSWORD,
        "password": "seven green bicycles",
        "password_confirmation": "seven green bicycles",
    }
    assert (await ada.put("/api/user/settings", json=body)).status_code == 200
    assert (await give(visitor, phone.code())).json()["code"] == "code_stale"


async def test_codes_cannot_be_guessed(visitor: Browser, phone: Phone, app: FastAPI) -> None:
    await visitor.post("/login", json=ADA)
    statuses = [(await give(visitor, f"{number:06}")).status_code for number in range(11)]
    assert statuses == [422] * 10 + [429]
    # Neither a new browser nor the right code helps until the hour is over.
    async with Browser.open(app, address="203.0.113.9") as other:
        await other.post("/login", json=ADA)
        assert (await give(other, phone.code())).status_code == 429


async def test_two_calls_with_one_code_let_one_in(phone: Phone, app: FastAPI) -> None:
    async with Browser.open(app) as one, Browser.open(app) as two:
        for browser in (one, two):
            await browser.post("/login", json=ADA)
        code = phone.code()
        statuses = sorted([(await give(one, code)).status_code, (await give(two, code)).status_code])
    assert statuses == [200, 422]


async def test_a_page_of_another_site_gives_no_code(visitor: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    forged = await visitor.post("/login/code", json={"code": phone.code()}, headers={"X-XSRF-TOKEN": "forged"})
    assert forged.status_code == 419


async def test_a_link_by_mail_is_no_way_around(visitor: Browser, phone: Phone, mailbox: Mailbox) -> None:
    await visitor.post("/forgot-password", json={"email": ADA["email"]})
    path = urlsplit(await mailbox.link(ADA["email"])).path
    token = re.fullmatch(r"/reset/([^/]+)/.*", path)
    assert token is not None
    new = "seven green bicycles"
    body = {"token": token.group(1), "email": ADA["email"], "password": new, "password_confirmation": new}
    assert (await visitor.post("/reset-password", json=body)).status_code == 204
    assert (await visitor.post("/login", json={**ADA, "password": new})).json()["code"] == "code_needed"
    assert not await is_in(visitor)


async def test_a_trusted_browser_needs_no_code(visitor: Browser, ada: Browser, phone: Phone) -> None:
    await visitor.post("/login", json=ADA)
    await give(visitor, phone.code(), trust=True)
    await visitor.post("/api/user/logout")
    assert (await visitor.post("/login", json=ADA)).status_code == 200
    assert (await ada.get("/api/user/second-factor")).json()["data"]["trusted_browsers"] == 1


async def test_it_is_trusted_for_one_account_and_with_the_password_alone(
    visitor: Browser, phone: Phone, clock: Clock, sign_up: SignUp
) -> None:
    eve = await sign_up("eve")
    await add_phone(eve, clock)
    await visitor.post("/login", json=ADA)
    await give(visitor, phone.code(), trust=True)
    other = await visitor.post("/login", json={"email": "eve@example.com", "password": PASSWORD})
    assert other.json()["code"] == "code_needed"
    wrong = await visitor.post("/login", json={**ADA, "password": "something else"})
    assert wrong.status_code == 422


@pytest.mark.long
async def test_trust_ends(visitor: Browser, ada: Browser, phone: Phone, state: AppState) -> None:
    async def trust() -> None:
        await visitor.post("/login", json=ADA)
        await give(visitor, phone.code(), trust=True)
        await visitor.post("/api/user/logout")

    await trust()
    async with state.database.write() as session:
        await session.execute(update(TrustedBrowser).values(expires_at=database_clock.now(-1)))
    assert (await visitor.post("/login", json=ADA)).json()["code"] == "code_needed"
    await trust()
    assert (await ada.delete("/api/user/second-factor/browsers")).status_code == 204
    assert (await visitor.post("/login", json=ADA)).json()["code"] == "code_needed"
    await trust()
    new = "seven green bicycles"
    body = {"password_old": PASSWORD, "password": new, "password_confirmation": new}
    assert (await ada.put("/api/user/settings", json=body)).status_code == 200
    assert (await visitor.post("/login", json={**ADA, "password": new})).json()["code"] == "code_needed"


async def test_a_deleted_account_is_taken_back_with_the_code(visitor: Browser, ada: Browser, phone: Phone) -> None:
    gone = await ada.request("DELETE", "/api/user", json={"password": PASSWORD, "confirmation": ADA["email"]})
    assert gone.status_code == 200
    await visitor.post("/login", json=ADA)
    code = phone.code()
    assert (await give(visitor, code)).json()["code"] == "account_deleted"
    await visitor.post("/login", json={**ADA, "restore": True})
    assert (await give(visitor, code)).status_code == 200
    assert await is_in(visitor)


def test_the_bounds_are_those_of_the_manual() -> None:
    assert (limits.CODE_ACCOUNT.attempts, limits.CODE_ACCOUNT.window_s) == (10, 3600.0)
    assert (limits.TRUSTED_DAYS, limits.WAITING_S, limits.RECOVERY_CODES) == (30, 600, 10)
