"""Sign in with an identity provider: new accounts, linked ones, deleted ones, and what each is told."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import func, select

from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.signing_in import bring, sent_to, sign_in_with
from api.testing.identity.stand_in import StandInProvider
from api.testing.mailbox import Mailbox


async def accounts(state: AppState) -> int:
    async with state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(User)) or 0


async def test_the_sign_in_page_lists_the_provider(visitor: Browser) -> None:
    answer = await visitor.get("/api/sign-in/providers")
    assert answer.json()["data"] == [{"slug": "stand-in", "name": "Stand-in"}]


async def test_a_new_person_gets_an_account(visitor: Browser, provider: StandInProvider) -> None:
    answer = (await sign_in_with(visitor, provider, "grace", name="Grace Hopper")).json()["data"]
    assert answer["step"] == "done"
    user = (await visitor.get("/api/user")).json()["data"]
    assert (user["name"], user["email"]) == ("Grace Hopper", "grace@example.com")
    assert user["email_verified"] is True
    assert user["has_password"] is False


async def test_the_same_person_comes_back_to_the_same_account(
    visitor: Browser, another: Browser, provider: StandInProvider, state: AppState
) -> None:
    first = (await sign_in_with(visitor, provider, "grace")).json()["data"]["user"]
    # Their address and name may change at the provider; the account stays as it is.
    second = (await sign_in_with(another, provider, "grace", email="hopper@example.com", name="G.")).json()["data"]
    assert second["user"]["id"] == first["id"]
    assert second["user"]["email"] == "grace@example.com"
    assert await accounts(state) == 1


async def test_an_address_that_the_provider_has_not_checked_waits_for_our_mail(
    visitor: Browser, provider: StandInProvider, mailbox: Mailbox
) -> None:
    await sign_in_with(visitor, provider, "grace", email_verified=False)
    assert (await visitor.get("/api/user")).json()["data"]["email_verified"] is False
    assert "Confirm" in (await mailbox.newest("grace@example.com")).subject


async def test_an_account_with_the_address_is_linked_only_after_its_password(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada = await sign_up("ada")
    waits = (await sign_in_with(visitor, provider, "ada")).json()["data"]
    assert (waits["step"], waits["email"], waits["user"]) == ("password", "ada@example.com", None)
    assert (await visitor.get("/api/user")).status_code == 401

    wrong = await visitor.post("/api/sign-in/stand-in/proof", json={"token": waits["token"], "password": "guess"})
    assert wrong.status_code == 422
    assert (await visitor.get("/api/user")).status_code == 401

    right = await visitor.post("/api/sign-in/stand-in/proof", json={"token": waits["token"], "password": PASSWORD})
    assert right.json()["data"]["user"]["id"] == str(ada.user_id)
    # From now on the provider is enough.
    again = (await sign_in_with(another, provider, "ada")).json()["data"]
    assert again["user"]["id"] == str(ada.user_id)


async def test_a_link_is_announced_to_the_account(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp, mailbox: Mailbox
) -> None:
    await sign_up("ada")
    waits = (await sign_in_with(visitor, provider, "ada")).json()["data"]
    await visitor.post("/api/sign-in/stand-in/proof", json={"token": waits["token"], "password": PASSWORD})
    assert "Stand-in can sign in" in (await mailbox.newest("ada@example.com")).text


async def test_a_deleted_account_is_taken_back_on_request(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada = await sign_up("ada")
    waits = (await sign_in_with(visitor, provider, "ada")).json()["data"]
    await visitor.post("/api/sign-in/stand-in/proof", json={"token": waits["token"], "password": PASSWORD})
    gone = await ada.request("DELETE", "/api/user", json={"password": PASSWORD, "confirmation": "ada@example.com"})
    assert gone.status_code == 200

    waits = (await sign_in_with(another, provider, "ada")).json()["data"]
    assert waits["step"] == "restore"
    assert waits["until"] is not None
    assert (await another.get("/api/user")).status_code == 401
    back = await another.post("/api/sign-in/stand-in/proof", json={"token": waits["token"], "restore": True})
    assert back.json()["data"]["user"]["id"] == str(ada.user_id)


async def test_a_person_who_changes_their_mind_reads_so(visitor: Browser) -> None:
    url = await sent_to(visitor)
    state = parse_qs(urlsplit(url).query)["state"][0]
    answer = await bring(visitor, {"state": state, "error": "access_denied", "error_description": "<b>No</b>"})
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("Stand-in did not let you in.")


async def test_a_provider_that_is_down_says_so(visitor: Browser, provider: StandInProvider) -> None:
    provider.status = 503
    answer = await visitor.post("/api/sign-in/stand-in", json={})
    assert answer.status_code == 503
    assert answer.json()["message"] == "Stand-in does not answer. Try again in a moment."


@pytest.mark.parametrize("slug", ["nobody", "..", "Stand-In"])
async def test_an_unknown_provider_is_a_404(visitor: Browser, slug: str) -> None:
    assert (await visitor.post(f"/api/sign-in/{slug}", json={})).status_code in (404, 405)


async def test_a_person_without_an_address_gets_no_account(
    visitor: Browser, provider: StandInProvider, state: AppState
) -> None:
    answer = await sign_in_with(visitor, provider, "grace", email=None)
    assert answer.status_code == 422
    assert "email" in answer.json()["message"]
    assert await accounts(state) == 0


class TestWithoutNewAccounts:
    @pytest.fixture
    def entry(self) -> dict[str, Any]:
        return {"makes_accounts": False}

    async def test_a_new_person_reads_whom_to_ask(self, visitor: Browser, provider: StandInProvider) -> None:
        answer = await sign_in_with(visitor, provider, "grace")
        assert answer.status_code == 422
        assert "Ask an administrator" in answer.json()["message"]


class TestBoundDomain:
    @pytest.fixture
    def entry(self) -> dict[str, Any]:
        return {"domains": ["Example.com", "@xn--hallgrmur-l5a.is"], "is_required": True}

    async def test_its_people_cannot_use_a_password(self, visitor: Browser) -> None:
        for path, body in (
            ("/login", {"email": "Grace@EXAMPLE.com", "password": PASSWORD}),
            (
                "/register",
                {
                    "name": "Grace",
                    "email": "grace@example.com",
                    "password": PASSWORD,
                    "password_confirmation": PASSWORD,
                },
            ),
        ):
            answer = await visitor.post(path, json=body)
            assert answer.status_code == 422
            assert answer.json()["code"] == "must_use_provider"
            assert answer.json()["message"] == "People of example.com sign in with Stand-in. Use its button."

    async def test_others_can(self, visitor: Browser) -> None:
        answer = await visitor.post("/login", json={"email": "grace@sub.example.com", "password": PASSWORD})
        assert answer.json()["message"] == "These credentials do not match our records."

    async def test_it_signs_in_nobody_else(self, visitor: Browser, provider: StandInProvider) -> None:
        answer = await sign_in_with(visitor, provider, "grace", email="grace@example.org")
        assert answer.status_code == 422
        assert "other addresses than grace@example.org" in answer.json()["message"]

    async def test_a_domain_means_the_same_in_both_of_its_forms(
        self, visitor: Browser, provider: StandInProvider
    ) -> None:
        answer = await sign_in_with(visitor, provider, "grace", email="grace@hallgrímur.is")
        assert answer.json()["data"]["user"]["email"] == "grace@hallgrímur.is"
