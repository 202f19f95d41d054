"""Confirmed addresses: the link, and what waits for it where people pay."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from fastapi import FastAPI

from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD, Browser
from api.testing.databases.migrated import make_sqlite
from api.testing.mailbox import Mailbox
from api.tests.account.conftest import open_verification

ONLY_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def me(browser: Browser) -> dict[str, object]:
    answer = await browser.get("/api/user")
    assert answer.status_code == 200
    return dict(answer.json()["data"])


async def test_the_link_of_the_first_mail_confirms_the_address_in_any_browser(
    ada: Browser, visitor: Browser, mailbox: Mailbox
) -> None:
    assert (await me(ada))["email_verified"] is False
    link = await mailbox.link("ada@example.com")
    for _ in range(2):  # Mail programs open links too.
        answer = await open_verification(visitor, link)
        assert answer.json() == {"data": {"email": "ada@example.com"}}
    assert (await me(ada))["email_verified"] is True
    assert (await visitor.get("/api/user")).status_code == 401, "a link signs nobody in"


@ONLY_SQLITE
async def test_a_link_that_was_changed_is_refused(ada: Browser, bob: Browser, mailbox: Mailbox) -> None:
    link = await mailbox.link("ada@example.com")
    start, stamp, signature = link.rsplit("/", 2)
    of_bob = start.replace(str(ada.user_id), str(bob.user_id))
    bad = [
        f"{start}/{int(stamp) + 60}/{signature}",
        f"{start}/{stamp}/{signature[:-1]}x",
        f"{start}/{stamp}",
        f"{start}/1/{signature}",
        f"{of_bob}/{stamp}/{signature}",
        f"{start.replace(str(ada.user_id), str(uuid.uuid4()))}/{stamp}/{signature}",
        f"{start.replace(str(ada.user_id), 'me')}/{stamp}/{signature}",
    ]
    for each in bad:
        answer = await open_verification(ada, each)
        assert (answer.status_code, answer.json()["code"]) == (422, "link_expired"), each
    assert (await me(ada))["email_verified"] is False


@ONLY_SQLITE
async def test_the_next_mail_waits_a_minute(ada: Browser) -> None:
    answer = await ada.post("/api/email/verify/resend")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 61


@ONLY_SQLITE
async def test_a_new_address_replaces_the_old_one_once_its_link_is_opened(
    ada: Browser, bob: Browser, mailbox: Mailbox
) -> None:
    first = await mailbox.link("ada@example.com")
    await open_verification(ada, first)
    body = {"email": "Ada@Elsewhere.example", "password": PASSWORD}
    wrong = await ada.put("/api/user/email", json=body | {"password": "not mine at all"})
    assert list(wrong.json()["errors"]) == ["password"]
    taken = await ada.put("/api/user/email", json=body | {"email": "bob@example.com"})
    assert list(taken.json()["errors"]) == ["email"]
    answer = (await ada.put("/api/user/email", json=body)).json()["data"]
    assert (answer["email"], answer["pending_email"]) == ("ada@example.com", "ada@elsewhere.example")
    assert "ada@elsewhere.example" in (await mailbox.newest("ada@example.com")).text
    link = await mailbox.link("ada@elsewhere.example")
    assert (await open_verification(bob, link)).json()["data"] == {"email": "ada@elsewhere.example"}
    user = await me(ada)
    assert (user["email"], user["pending_email"], user["email_verified"]) == ("ada@elsewhere.example", None, True)
    assert (await open_verification(ada, first)).json()["code"] == "link_expired", "the old address's link"


@ONLY_SQLITE
async def test_a_change_that_was_taken_back_is_not_made_by_its_link(ada: Browser, mailbox: Mailbox) -> None:
    await open_verification(ada, await mailbox.link("ada@example.com"))
    await ada.put("/api/user/email", json={"email": "new@example.com", "password": PASSWORD})
    link = await mailbox.link("new@example.com")
    assert (await ada.delete("/api/user/email")).json()["data"]["pending_email"] is None
    assert (await open_verification(ada, link)).json()["code"] == "link_expired"
    assert (await me(ada))["email"] == "ada@example.com"


@pytest.mark.long
@ONLY_SQLITE
async def test_two_people_cannot_end_up_with_one_address(ada: Browser, bob: Browser, mailbox: Mailbox) -> None:
    await open_verification(ada, await mailbox.link("ada@example.com"))
    await open_verification(bob, await mailbox.link("bob@example.com"))
    links = []
    for browser in (ada, bob):
        body = {"email": "shared@example.com", "password": PASSWORD}
        assert (await browser.put("/api/user/email", json=body)).status_code == 200
        links.append(await mailbox.link("shared@example.com"))
    assert (await open_verification(ada, links[0])).status_code == 200
    late = await open_verification(bob, links[1])
    assert (late.status_code, list(late.json()["errors"])) == (422, ["email"])
    assert (await me(bob))["email"] == "bob@example.com"


class TestWithBilling:
    @pytest.fixture
    def settings(self, tmp_path: Path) -> ApiSettings:
        url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
        make_sqlite(url)
        return ApiSettings(data_dir=tmp_path / "data", database_url=url, ui_dir=tmp_path / "ui", billing=True)

    async def test_everything_but_account_calls_waits(self, ada: Browser, mailbox: Mailbox) -> None:
        for call in ("/api/files", "/api/glossary", "/api/files/uploads", "/api/polling/initiate"):
            answer = await ada.get(call)
            assert (answer.status_code, answer.json()["code"]) == (409, "email_unverified"), call
        assert (await ada.post("/api/files/upload/token")).status_code == 409
        assert (await me(ada))["must_verify_email"] is True
        assert (await ada.get("/api/user/sessions")).status_code == 200
        await open_verification(ada, await mailbox.link("ada@example.com"))
        assert (await ada.get("/api/files")).status_code == 200
        assert (await me(ada))["must_verify_email"] is False

    async def test_a_wrong_address_is_corrected_at_once(self, ada: Browser, mailbox: Mailbox, app: FastAPI) -> None:
        old = await mailbox.link("ada@example.com")
        body = {"email": "right@example.com", "password": PASSWORD}
        answer = (await ada.put("/api/user/email", json=body)).json()["data"]
        assert (answer["email"], answer["pending_email"]) == ("right@example.com", None)
        assert (await open_verification(ada, old)).json()["code"] == "link_expired"
        await open_verification(ada, await mailbox.link("right@example.com"))
        assert (await ada.get("/api/files")).status_code == 200

    async def test_an_unverified_person_may_leave(self, ada: Browser, state: AppState) -> None:
        body = {"password": PASSWORD, "confirmation": "ada@example.com"}
        assert (await ada.request("DELETE", "/api/user", json=body)).status_code == 200
        assert (await ada.get("/api/user")).status_code == 401
