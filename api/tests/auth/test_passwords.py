"""Comparing a password costs the same whether or not the account exists."""

from __future__ import annotations

import json

import argon2
import pytest
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import select, update

from api.people.auth import passwords
from api.people.auth.weak_passwords import WEAK
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser


async def test_a_password_matches_only_its_own_hash() -> None:
    made = await passwords.hash_password("correct horse battery")
    assert await passwords.password_matches("correct horse battery", made)
    assert not await passwords.password_matches("correct horse", made)
    assert not await passwords.password_matches("correct horse battery", "not a hash")
    assert not await passwords.password_matches("", None)


@pytest.mark.usefixtures("own_password_costs")
async def test_an_unknown_account_costs_as_much_as_a_known_one() -> None:
    nobody = argon2.extract_parameters(passwords._nobody())
    assert nobody == argon2.extract_parameters(await passwords.hash_password("correct horse battery"))
    # A full comparison, not an early refusal.
    with pytest.raises(VerifyMismatchError):
        argon2.PasswordHasher().verify(passwords._nobody(), "nobody has this password")


@pytest.mark.long
@pytest.mark.usefixtures("own_password_costs")
async def test_an_older_hash_still_matches_and_is_renewed_at_sign_in(
    ada: Browser, visitor: Browser, state: AppState
) -> None:
    async def stored() -> str:
        async with state.database.read() as session:
            return (await session.scalars(select(User.password_hash))).one()

    older = argon2.PasswordHasher(memory_cost=65536, time_cost=3, parallelism=4).hash(PASSWORD)
    async with state.database.write() as session:
        await session.execute(update(User).values(password_hash=older))
    wrong = await visitor.post("/login", json={"email": "ada@example.com", "password": "another one"})
    assert (wrong.status_code, await stored()) == (422, older)
    assert (await visitor.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).status_code == 200
    renewed = await stored()
    assert "m=19456,t=2,p=1" in renewed
    assert (await visitor.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).status_code == 200
    assert await stored() == renewed


@pytest.mark.parametrize(
    "password",
    [
        "password",
        "12345678",
        "        ",
        "qwertyuiop",
        "grace@example.com",
        "Grace Hopper",
        "sagascript",
        "aaaaaaaaaaaa",
    ],
)
async def test_a_password_that_is_easy_to_guess_is_refused(visitor: Browser, password: str) -> None:
    body = {"name": "Grace Hopper", "email": "grace@example.com", "password": password}
    answer = await visitor.post("/register", json=body | {"password_confirmation": password})
    assert (answer.status_code, answer.json()["errors"]) == (422, {"password": [WEAK]})


@pytest.mark.parametrize("password", ["nul\0 is a letter here", "half a pair \ud800 of letters", "ö" * 200])
async def test_any_text_can_be_a_password(visitor: Browser, password: str) -> None:
    """As JSON escapes, the way browsers send text that UTF-8 cannot hold."""
    body = {"name": "Grace", "email": "grace@example.com", "password": password, "password_confirmation": password}
    headers = {"Content-Type": "application/json"}
    answer = await visitor.post("/register", content=json.dumps(body).encode("ascii"), headers=headers)
    assert answer.status_code in (201, 422)
    login = json.dumps({"email": body["email"], "password": password}).encode("ascii")
    again = await visitor.post("/login", content=login, headers=headers)
    assert again.status_code == (200 if answer.status_code == 201 else 422)
