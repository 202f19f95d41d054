"""Registering, signing in and out, and the anti-forgery rules, as a browser sees them."""

from __future__ import annotations

import json
from urllib.parse import unquote

import pytest
from fastapi import FastAPI

from api.people.auth.attempts import LOGIN_PAIR
from api.people.auth.cookies import AUTH_COOKIE, SESSION_COOKIE
from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.people.auth.service import EMAIL_TAKEN, PASSWORDS_DIFFER, WRONG_LOGIN
from api.platform.http.errors import CSRF_MISMATCH
from api.testing.browser import PASSWORD, Browser, SignUp

GRACE = {"name": "Grace", "email": "Grace@Example.com", "password": PASSWORD, "password_confirmation": PASSWORD}


async def test_a_registered_user_is_signed_in_and_sees_themself(visitor: Browser) -> None:
    answer = await visitor.post("/register", json=GRACE)
    assert answer.status_code == 201
    user = (await visitor.get("/api/user")).json()["data"]
    assert user["email"] == "grace@example.com"
    assert user["has_subscription"] is True
    assert user["is_admin"] is False
    assert not {"password", "password_hash"} & user.keys()
    assert PASSWORD not in json.dumps(user)
    assert json.loads(unquote(visitor.cookies[AUTH_COOKIE])) == {"authenticated": True}


async def test_sign_in_changes_the_session_and_sign_out_kills_it(ada: Browser, visitor: Browser) -> None:
    await visitor.get("/sanctum/csrf-cookie")
    before = visitor.cookies[SESSION_COOKIE]
    answer = await visitor.post("/login", json={"email": "ADA@example.com", "password": PASSWORD})
    assert answer.status_code == 200
    signed_in = visitor.cookies[SESSION_COOKIE]
    assert signed_in != before
    assert (await visitor.post("/api/user/logout")).status_code == 204
    visitor.cookies.set(SESSION_COOKIE, signed_in)
    assert (await visitor.get("/api/user")).status_code == 401


@pytest.mark.parametrize("password", ["wrong password", PASSWORD.upper()])
async def test_a_wrong_password_and_an_unknown_account_get_the_same_sentence(
    ada: Browser, visitor: Browser, password: str
) -> None:
    known = await visitor.post("/login", json={"email": "ada@example.com", "password": password})
    unknown = await visitor.post("/login", json={"email": "nobody@example.com", "password": password})
    assert known.status_code == unknown.status_code == 422
    assert known.json() == unknown.json()
    assert known.json()["message"] == WRONG_LOGIN


async def test_too_many_attempts_must_wait(ada: Browser, visitor: Browser) -> None:
    body = {"email": "ada@example.com", "password": "wrong password"}
    for _ in range(LOGIN_PAIR.attempts):
        assert (await visitor.post("/login", json=body)).status_code == 422
    answer = await visitor.post("/login", json=body)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"email": "ada@EXAMPLE.com"}, "email", EMAIL_TAKEN),
        ({"email": "not an address"}, "email", "The email must be a valid email address."),
        ({"password_confirmation": "something else"}, "password", PASSWORDS_DIFFER),
        ({"password": "short"}, "password", "The password must have at least 8 characters."),
        ({"name": "   "}, "name", "The name is required."),
        ({"name": ""}, "name", "The name is required."),
    ],
)
async def test_a_bad_registration_names_the_field(
    ada: Browser, visitor: Browser, change: dict[str, str], field: str, sentence: str
) -> None:
    answer = await visitor.post("/register", json=GRACE | change)
    assert answer.status_code == 422
    assert answer.json()["errors"][field] == [sentence]


@pytest.mark.long
@pytest.mark.parametrize(
    ("registered", "typed"),
    [
        ("x@xn--bcher-kva.example", "x@bücher.example"),
        ("x@BÜCHER.example", "x@xn--bcher-kva.example"),
        ("mu\u0308ller@example.com", "müller@example.com"),
        ("müller@example.com", "MU\u0308LLER@example.com "),
    ],
)
async def test_an_email_is_the_same_however_it_is_typed(
    visitor: Browser, app: FastAPI, registered: str, typed: str
) -> None:
    assert (await visitor.post("/register", json=GRACE | {"email": registered})).status_code == 201
    async with Browser.open(app) as elsewhere:
        for email in (registered, typed):
            assert (await elsewhere.post("/login", json={"email": email, "password": PASSWORD})).status_code == 200
        again = await elsewhere.post("/register", json=GRACE | {"email": typed})
    assert again.json()["errors"] == {"email": [EMAIL_TAKEN]}


@pytest.mark.parametrize(
    "email", ["Name <q@example.com>", "q@example.com\nBcc: x", "a\0b@example.com", "q@", "\ud800@x.is"]
)
async def test_text_that_is_not_a_plain_email_creates_no_account(visitor: Browser, email: str) -> None:
    content = json.dumps(GRACE | {"email": email}).encode("ascii")
    answer = await visitor.post("/register", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == ["email"]


async def test_a_name_is_kept_without_control_and_direction_characters(visitor: Browser) -> None:
    name = "Grace\0 \x1b[31mHop\rper\u202e"
    assert (await visitor.post("/register", json=GRACE | {"name": name})).status_code == 201
    assert (await visitor.get("/api/user")).json()["data"]["name"] == "Grace   [31mHop per"


async def test_rights_cannot_be_taken_by_registering(visitor: Browser) -> None:
    answer = await visitor.post("/register", json=GRACE | {"is_admin": True, "id": "0" * 32})
    assert answer.json()["data"]["is_admin"] is False


@pytest.mark.parametrize("header", ["", "made-up", "a.b"])
async def test_a_missing_or_made_up_token_is_refused(ada: Browser, header: str) -> None:
    answer = await ada.post("/api/user/logout", headers={XSRF_HEADER: header})
    assert answer.status_code == CSRF_MISMATCH
    assert (await ada.get("/api/user")).status_code == 200


async def test_the_token_of_another_browser_is_refused(ada: Browser, bob: Browser) -> None:
    stolen = unquote(bob.cookies[XSRF_COOKIE])
    answer = await ada.post("/api/user/logout", headers={XSRF_HEADER: stolen})
    assert answer.status_code == CSRF_MISMATCH


async def test_nobody_is_signed_in_at_first(visitor: Browser) -> None:
    answer = await visitor.get("/api/user")
    assert answer.status_code == 401
    assert answer.json()["message"].endswith(".")


async def test_a_team_that_is_not_theirs_is_refused(ada: Browser, sign_up: SignUp) -> None:
    answer = await ada.get("/api/user", headers={"X-Active-Team": "7b6b0c9e-3f0e-4f55-a8ad-3f3d9c1f1a11"})
    assert (answer.status_code, answer.json()["code"]) == (422, "not_your_team")
