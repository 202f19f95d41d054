"""Turning the second factor on and off, recovery codes, and what asks for a code again."""

from __future__ import annotations

import json
from functools import partial

import pytest
from sqlalchemy import select, update

from api.people.second_factor.models import AuthenticatorApp, RecoveryCode
from api.people.users.models import BrowserSession
from api.platform.db import clock as database_clock
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.mailbox import Mailbox
from api.tests.second_factor.conftest import Clock, Phone

FACTOR = "/api/user/second-factor"
ADA = {"email": "ada@example.com", "password": PASSWORD}


async def let_the_proof_grow_old(state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(BrowserSession).values(confirmed_at=database_clock.now(-3600)))


async def test_it_is_off_until_somebody_wants_it(ada: Browser) -> None:
    assert (await ada.get(FACTOR)).json()["data"] == {"is_on": False, "recovery_codes": 0, "trusted_browsers": 0}
    assert (await ada.get("/api/user")).json()["data"]["has_second_factor"] is False


async def test_it_begins_with_the_password(ada: Browser) -> None:
    answer = await ada.post(FACTOR, json={"password": "guess"})
    assert list(answer.json()["errors"]) == ["password"]
    begun = (await ada.post(FACTOR, json={"password": PASSWORD})).json()["data"]
    assert len(begun["secret"]) == 32
    assert begun["picture"].startswith("data:image/svg+xml")


async def test_it_counts_once_a_code_was_entered(ada: Browser, visitor: Browser, clock: Clock) -> None:
    begun = await ada.post(FACTOR, json={"password": PASSWORD})
    assert (await visitor.post("/login", json=ADA)).status_code == 200
    wrong = await ada.put(FACTOR, json={"code": "000000"})
    assert list(wrong.json()["errors"]) == ["code"]
    assert (await ada.get(FACTOR)).json()["data"]["is_on"] is False
    phone = Phone(begun.json()["data"]["secret"], clock)
    assert (await ada.put(FACTOR, json={"code": phone.code()})).status_code == 200
    assert (await ada.get(FACTOR)).json()["data"]["is_on"] is True
    # Whoever signed in before without a code is out.
    assert (await visitor.get("/api/user")).status_code == 401
    assert (await ada.get("/api/user")).status_code == 200


async def test_a_second_app_needs_the_first_one_gone(ada: Browser, phone: Phone) -> None:
    assert (await ada.post(FACTOR, json={"password": PASSWORD})).status_code == 409
    assert (await ada.put(FACTOR, json={"code": phone.code()})).status_code == 409


async def test_nothing_is_confirmed_that_was_not_begun(ada: Browser) -> None:
    assert (await ada.put(FACTOR, json={"code": "123456"})).status_code == 409


async def test_secrets_are_stored_sealed_and_hashed(ada: Browser, phone: Phone, state: AppState) -> None:
    async with state.database.read() as session:
        app = (await session.scalars(select(AuthenticatorApp))).one()
        hashes = (await session.scalars(select(RecoveryCode.code_hash))).all()
    assert phone.secret not in app.secret
    assert not {code.replace("-", "") for code in phone.codes} & set(hashes)
    for path in (FACTOR, "/api/user", "/api/user/log"):
        assert phone.secret not in (await ada.get(path)).text


async def test_the_owner_is_told(ada: Browser, phone: Phone, mailbox: Mailbox) -> None:
    assert "asks for a code now" in (await mailbox.newest(ADA["email"])).subject
    await ada.request("DELETE", FACTOR, json={"password": PASSWORD})
    assert "no code any more" in (await mailbox.newest(ADA["email"])).subject


async def test_it_takes_the_password_and_a_code_to_turn_it_off(
    ada: Browser, visitor: Browser, phone: Phone, state: AppState
) -> None:
    await let_the_proof_grow_old(state)
    assert (await ada.request("DELETE", FACTOR, json={"password": "guess"})).status_code == 422
    asked = await ada.request("DELETE", FACTOR, json={"password": PASSWORD})
    assert (asked.status_code, asked.json()["code"]) == (409, "step_up_needed")
    assert (await ada.post(f"{FACTOR}/confirm", json={"code": "000000"})).status_code == 422
    assert (await ada.post(f"{FACTOR}/confirm", json={"code": phone.code()})).status_code == 204
    assert (await ada.request("DELETE", FACTOR, json={"password": PASSWORD})).status_code == 204
    assert (await visitor.post("/login", json=ADA)).status_code == 200
    assert (await ada.request("DELETE", FACTOR, json={"password": PASSWORD})).status_code == 409


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/api/user/email", {"email": "new@example.com", "password": PASSWORD}),
        ("DELETE", "/api/user", {"password": PASSWORD, "confirmation": "ada@example.com"}),
        (
            "PUT",
            "/api/user/settings",
            {
                "password_old": PASSWORD,
                "password": "seven green bicycles",
                "password_confirmation": "seven green bicycles",
            },
        ),
        ("POST", f"{FACTOR}/recovery-codes", {"password": PASSWORD}),
        ("DELETE", FACTOR, {"password": PASSWORD}),
    ],
    ids=["address", "account", "password", "recovery codes", "off"],
)
async def test_what_cannot_be_undone_asks_for_a_code(
    method: str, path: str, body: dict[str, str], ada: Browser, phone: Phone, state: AppState
) -> None:
    await let_the_proof_grow_old(state)
    asked = await ada.request(method, path, json=body)
    assert (asked.status_code, asked.json()["code"]) == (409, "step_up_needed")
    await ada.post(f"{FACTOR}/confirm", json={"code": phone.code()})
    assert (await ada.request(method, path, json=body)).status_code in (200, 204)


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "path", "body", "then"),
    [
        ("POST", "/api/keys", {"name": "Robot", "scopes": ["transcribe"]}, 201),
        ("POST", "/api/browse-as", {"id": "{bob}", "reason": "To help with a ticket"}, 200),
        ("POST", "/api/teams/{team}/payer", {}, 422),
        # She pays for the team already, and there is no billing here: that is said once the code is given.
        ("PUT", "/api/user/billing/payment", {"payment_method": "pm_1"}, 404),
        ("POST", "/api/user/subscribe", {"type": "creator", "period": "monthly", "intent": "seti_1"}, 404),
        ("PUT", "/api/user/subscription/change/creator/monthly", {}, 404),
        ("GET", "/api/user/subscription/cancel", None, 404),
    ],
    ids=["key", "browse as", "payer", "card", "order", "plan", "cancellation"],
)
async def test_power_and_money_ask_for_a_code(
    method: str,
    path: str,
    body: dict[str, object] | None,
    then: int,
    ada: Browser,
    bob: Browser,
    phone: Phone,
    state: AppState,
) -> None:
    await promote(state, ada.user_id)
    team = (await ada.post("/api/teams", json={"name": "Crew"})).json()["data"]["id"]
    await let_the_proof_grow_old(state)
    sent = json.loads(json.dumps(body).replace("{bob}", str(bob.user_id)))
    call = partial(ada.request, method, path.replace("{team}", team), json=sent, headers=ada.csrf_headers())
    asked = await call()
    assert (asked.status_code, asked.json().get("code")) == (409, "step_up_needed"), asked.text
    assert (await ada.post(f"{FACTOR}/confirm", json={"code": phone.code()})).status_code == 204
    answer = await call()
    assert answer.status_code == then, answer.text


async def test_who_has_no_app_is_asked_for_nothing(ada: Browser) -> None:
    made = await ada.post("/api/keys", json={"name": "Robot", "scopes": ["transcribe"]})
    assert made.status_code == 201, made.text


async def test_new_recovery_codes_replace_the_old_ones(ada: Browser, visitor: Browser, phone: Phone) -> None:
    fresh = (await ada.post(f"{FACTOR}/recovery-codes", json={"password": PASSWORD})).json()["data"]["codes"]
    assert not set(fresh) & set(phone.codes)
    await visitor.post("/login", json=ADA)
    assert (await visitor.post("/login/code", json={"code": phone.codes[0]})).status_code == 422
    assert (await visitor.post("/login/code", json={"code": fresh[0]})).status_code == 200


async def test_an_administrator_helps_who_lost_the_phone(
    ada: Browser, visitor: Browser, phone: Phone, sign_up: SignUp, state: AppState, mailbox: Mailbox
) -> None:
    root = await sign_up("root")
    path = f"/api/admin/users/{ada.user_id}/second-factor"
    assert (await root.delete(path)).status_code == 403
    await promote(state, root.user_id)
    answer = await root.delete(path)
    assert answer.json()["data"]["has_second_factor"] is False
    assert (await ada.get("/api/user")).status_code == 401, "signed out everywhere"
    assert (await visitor.post("/login", json=ADA)).status_code == 200
    assert "no code any more" in (await mailbox.newest(ADA["email"])).subject
    assert (await root.delete(path)).status_code == 409
    sentences = [entry["sentence"] for entry in (await visitor.get("/api/user/log")).json()["data"]]
    assert "Turned off the codes for somebody who had lost their app" in sentences
