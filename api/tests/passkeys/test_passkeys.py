"""Passkeys: to add, to sign in with as the only factor, and what somebody would try against them."""

from __future__ import annotations

import io
import json
from typing import Any
from zipfile import ZipFile

import httpx2
import pytest
from sqlalchemy import select, update

from api.people.passkeys.models import PasskeyChallenge
from api.people.passkeys.service import relying_party
from api.people.users.models import NO_PASSWORD, User
from api.people.users.passkeys import Passkey
from api.platform.db import clock
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.authenticator import PRESENT, Authenticator
from api.testing.identity.passkeys import HEADERS, ORIGIN, PASSKEYS, add, options_of, sign_in
from api.testing.mailbox import Mailbox


async def test_a_passkey_signs_in_alone(visitor: Browser, ada: Browser, phone: Authenticator) -> None:
    answer = await sign_in(visitor, phone)
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["id"] == str(ada.user_id)
    assert (await visitor.get("/api/user")).status_code == 200
    (listed,) = (await ada.get(PASSKEYS, headers=HEADERS)).json()["data"]["passkeys"]
    assert listed["name"] == "Phone"
    assert listed["used_at"] is not None
    assert "Signed in with Phone" in (await ada.get("/api/user/log")).text


async def test_it_counts_as_both_factors(visitor: Browser, ada: Browser, phone: Authenticator, state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).values(second_factor_at=clock.now()))
    assert (await sign_in(visitor, phone)).status_code == 200
    # What cannot be undone asks for the password, and for no code of the last ten minutes.
    body = {"password": PASSWORD, "confirmation": "ada@example.com"}
    assert (await visitor.request("DELETE", "/api/user", json=body)).status_code == 200


async def test_the_options_ask_for_a_verified_person_and_name_nobody(visitor: Browser, ada: Browser) -> None:
    asked = await options_of(visitor, "/login/passkey/options")
    assert asked["userVerification"] == "required"
    assert asked.get("allowCredentials", []) == []
    made = await options_of(ada, f"{PASSKEYS}/options", {"password": PASSWORD})
    assert made["authenticatorSelection"]["userVerification"] == "required"
    assert made["authenticatorSelection"]["residentKey"] == "required"
    assert made["rp"]["id"] == "localhost"


async def test_adding_takes_the_password_and_is_announced(ada: Browser, state: AppState) -> None:
    refused = await ada.post(f"{PASSKEYS}/options", json={"password": "guess"}, headers=HEADERS)
    assert list(refused.json()["errors"]) == ["password"]
    await add(ada, Authenticator(ORIGIN), name="Blue key")
    assert "“Blue key”" in (await Mailbox(state).newest("ada@example.com")).text


async def test_a_removed_passkey_opens_nothing(visitor: Browser, ada: Browser, phone: Authenticator) -> None:
    (listed,) = (await ada.get(PASSKEYS)).json()["data"]["passkeys"]
    path = f"{PASSKEYS}/{listed['id']}"
    assert (await ada.request("DELETE", path, json={"password": "guess"})).status_code == 422
    assert (await ada.request("DELETE", path, json={"password": PASSWORD})).status_code == 204
    assert (await ada.request("DELETE", path, json={"password": PASSWORD})).status_code == 404
    assert (await sign_in(visitor, phone)).status_code == 422
    assert (await visitor.get("/api/user")).status_code == 401


async def test_nobody_removes_the_passkey_of_another(ada: Browser, phone: Authenticator, sign_up: SignUp) -> None:
    eve = await sign_up("eve")
    (listed,) = (await ada.get(PASSKEYS)).json()["data"]["passkeys"]
    answer = await eve.request("DELETE", f"{PASSKEYS}/{listed['id']}", json={"password": PASSWORD})
    assert answer.status_code == 404


async def test_the_copy_of_ones_data_names_it(ada: Browser, phone: Authenticator) -> None:
    archive = ZipFile(io.BytesIO((await ada.get("/api/user/export")).content))
    profile = json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("profile.json"))))
    assert profile["sign_in"]["has_password"] is True
    assert [each["name"] for each in profile["sign_in"]["passkeys"]] == ["Phone"]


async def test_the_only_way_in_stays(visitor: Browser, ada: Browser, phone: Authenticator, state: AppState) -> None:
    await sign_in(visitor, phone)
    async with state.database.write() as session:
        await session.execute(update(User).values(password_hash=NO_PASSWORD))
    (listed,) = (await visitor.get(PASSKEYS)).json()["data"]["passkeys"]
    answer = await visitor.request("DELETE", f"{PASSKEYS}/{listed['id']}", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "last_way")


async def test_a_deleted_account_is_taken_back(visitor: Browser, ada: Browser, phone: Authenticator) -> None:
    await ada.request("DELETE", "/api/user", json={"password": PASSWORD, "confirmation": "ada@example.com"})
    assert (await sign_in(visitor, phone)).json()["code"] == "account_deleted"
    assert (await sign_in(visitor, phone, restore=True)).status_code == 200


# ---- attacks -----------------------------------------------------------------------------------------------------


async def refused(browser: Browser, answer: httpx2.Response) -> None:
    assert (answer.status_code, answer.json()["code"]) == (422, "passkey_refused")
    assert (await browser.get("/api/user")).status_code == 401


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [{"origin": "https://evil.example"}, {"party": "evil.example"}, {"flags": PRESENT}, {"flags": 0}],
    ids=["phishing page", "another party", "nobody verified", "nobody present"],
)
async def test_an_assertion_made_elsewhere_or_by_nobody(
    changed: dict[str, Any], visitor: Browser, phone: Authenticator
) -> None:
    for name, value in changed.items():
        setattr(phone, name, value)
    await refused(visitor, await sign_in(visitor, phone))


async def test_another_key_under_the_same_name(visitor: Browser, phone: Authenticator) -> None:
    forged = Authenticator(ORIGIN, credential_id=phone.credential_id, handle=phone.handle)
    await refused(visitor, await sign_in(visitor, forged))


async def test_a_passkey_nobody_has(visitor: Browser) -> None:
    answer = await sign_in(visitor, Authenticator(ORIGIN))
    await refused(visitor, answer)
    assert "belongs to no account" in answer.json()["message"]


async def test_the_handle_of_somebody_else(visitor: Browser, phone: Authenticator, sign_up: SignUp) -> None:
    eve = await sign_up("eve")
    phone.handle = eve.user_id.bytes
    await refused(visitor, await sign_in(visitor, phone))


async def test_an_assertion_serves_once_and_in_its_own_browser(
    visitor: Browser, ada: Browser, phone: Authenticator
) -> None:
    credential = phone.get(await options_of(visitor, "/login/passkey/options"))
    stolen = await ada.post("/login/passkey", json={"credential": credential}, headers=HEADERS)
    assert stolen.json()["code"] == "passkey_refused"
    assert (await visitor.post("/login/passkey", json={"credential": credential}, headers=HEADERS)).status_code == 200
    await visitor.post("/api/user/logout")
    await refused(visitor, await visitor.post("/login/passkey", json={"credential": credential}, headers=HEADERS))


async def test_a_challenge_ends_after_five_minutes(visitor: Browser, phone: Authenticator, state: AppState) -> None:
    credential = phone.get(await options_of(visitor, "/login/passkey/options"))
    async with state.database.write() as session:
        await session.execute(update(PasskeyChallenge).values(expires_at=clock.now(-1)))
    await refused(visitor, await visitor.post("/login/passkey", json={"credential": credential}, headers=HEADERS))


async def test_a_copy_whose_counter_is_behind(visitor: Browser, phone: Authenticator) -> None:
    phone.count = 5
    assert (await sign_in(visitor, phone)).status_code == 200
    await visitor.post("/api/user/logout")
    phone.count = 4
    await refused(visitor, await sign_in(visitor, phone))


async def test_a_challenge_to_add_serves_no_sign_in(visitor: Browser, ada: Browser, phone: Authenticator) -> None:
    options = await options_of(ada, f"{PASSKEYS}/options", {"password": PASSWORD})
    answer = await ada.post("/login/passkey", json={"credential": phone.get(options)}, headers=HEADERS)
    assert answer.json()["code"] == "passkey_refused"


async def test_a_passkey_belongs_to_one_account(phone: Authenticator, sign_up: SignUp) -> None:
    eve = await sign_up("eve")
    assert (await add(eve, phone)).status_code == 409


@pytest.mark.long
@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 7},
        {"id": "x", "response": None},
        {"id": "x", "response": {"clientDataJSON": "ð"}},
        {"id": "y" * 30_000},
    ],
    ids=["empty", "number", "no response", "no base64", "long"],
)
async def test_something_else_than_a_credential(
    credential: dict[str, Any], visitor: Browser, ada: Browser, phone: Authenticator, state: AppState
) -> None:
    await options_of(visitor, "/login/passkey/options")
    await refused(visitor, await visitor.post("/login/passkey", json={"credential": credential}, headers=HEADERS))
    async with state.database.read() as session:
        known = (await session.scalars(select(Passkey.credential_id))).one()
    await options_of(visitor, "/login/passkey/options")
    body = {"credential": {**credential, "id": known}}
    await refused(visitor, await visitor.post("/login/passkey", json=body, headers=HEADERS))
    await options_of(ada, f"{PASSKEYS}/options", {"password": PASSWORD})
    added = await ada.post(PASSKEYS, json={"name": "x", "credential": credential}, headers=HEADERS)
    assert added.json()["code"] == "passkey_refused"


@pytest.mark.parametrize(
    ("origin", "party"),
    [
        ("https://captions.example.com", "captions.example.com"),
        ("http://localhost:8080", "localhost"),
        ("http://127.0.0.1:8080", None),
        ("http://[::1]:8080", None),
    ],
)
def test_an_address_in_numbers_has_no_passkeys(origin: str, party: str | None) -> None:
    assert relying_party(origin) == party


async def test_a_page_at_a_number_says_so(visitor: Browser) -> None:
    answer = await visitor.post("/login/passkey/options", json={}, headers={"Origin": "http://127.0.0.1:8080"})
    assert answer.status_code == 409
    assert "by its name" in answer.json()["message"]
