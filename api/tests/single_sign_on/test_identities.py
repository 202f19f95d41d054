"""The settings of somebody who signs in with a provider: links, and proofs without a password."""

from __future__ import annotations

from typing import Any

from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.signing_in import bring, sign_in_with
from api.testing.identity.stand_in import FromNow, StandInProvider

IDENTITIES = "/api/user/identities"


async def linked(browser: Browser) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await browser.get(IDENTITIES)).json()["data"]["linked"]
    return found


async def confirm(browser: Browser, provider: StandInProvider, sub: str, **claims: Any) -> Any:
    answer = await browser.post(f"{IDENTITIES}/stand-in/confirm", json={})
    url = answer.json()["data"]["url"]
    assert "prompt=login" in url
    assert "max_age=0" in url
    return await bring(browser, provider.answer(url, sub, **claims))


async def test_an_account_is_linked_in_its_settings(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada = await sign_up("ada")
    assert (await ada.get(IDENTITIES)).json()["data"] == {
        "linked": [],
        "could_be": [{"slug": "stand-in", "name": "Stand-in"}],
    }
    wrong = await ada.post(f"{IDENTITIES}/stand-in", json={"password": "guess"})
    assert (wrong.status_code, list(wrong.json()["errors"])) == (422, ["password"])
    begun = await ada.post(f"{IDENTITIES}/stand-in", json={"password": PASSWORD})
    # Another address at the provider is fine: the owner says that it is theirs.
    done = await bring(ada, provider.answer(begun.json()["data"]["url"], "ada-at-work", email="a@work.example"))
    assert done.json()["data"]["step"] == "done"
    assert [(each["name"], each["email"]) for each in await linked(ada)] == [("Stand-in", "a@work.example")]
    again = await sign_in_with(visitor, provider, "ada-at-work", email="a@work.example")
    assert again.json()["data"]["user"]["id"] == str(ada.user_id)


async def test_a_person_belongs_to_one_account(provider: StandInProvider, sign_up: SignUp) -> None:
    ada, eve = await sign_up("ada"), await sign_up("eve")
    for browser, expected in ((ada, 200), (eve, 409)):
        begun = await browser.post(f"{IDENTITIES}/stand-in", json={"password": PASSWORD})
        answer = await bring(browser, provider.answer(begun.json()["data"]["url"], "work"))
        assert answer.status_code == expected
    assert await linked(eve) == []


async def test_a_link_that_somebody_else_began_links_nothing(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    """The account that began must be the one that is signed in when the answer comes."""
    ada = await sign_up("ada")
    begun = await ada.post(f"{IDENTITIES}/stand-in", json={"password": PASSWORD})
    answer = provider.answer(begun.json()["data"]["url"], "eve")
    await ada.post("/api/user/logout")
    assert (await bring(ada, answer)).status_code in (401, 419, 422)
    assert (await bring(visitor, answer)).status_code == 422


async def test_the_only_way_in_cannot_be_removed(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    await confirm(visitor, provider, "grace")
    identity = (await linked(visitor))[0]["id"]
    answer = await visitor.request("DELETE", f"{IDENTITIES}/{identity}", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "last_way")


async def test_a_link_is_removed_with_the_password(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada, eve = await sign_up("ada"), await sign_up("eve")
    begun = await ada.post(f"{IDENTITIES}/stand-in", json={"password": PASSWORD})
    await bring(ada, provider.answer(begun.json()["data"]["url"], "ada"))
    identity = (await linked(ada))[0]["id"]
    foreign = await eve.request("DELETE", f"{IDENTITIES}/{identity}", json={"password": PASSWORD})
    assert foreign.status_code == 404
    assert (await ada.request("DELETE", f"{IDENTITIES}/{identity}", json={})).status_code == 422
    gone = await ada.request("DELETE", f"{IDENTITIES}/{identity}", json={"password": PASSWORD})
    assert gone.status_code == 204
    assert (await sign_in_with(visitor, provider, "ada")).json()["data"]["step"] == "password"


async def test_without_a_password_a_fresh_sign_in_stands_in(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    body = {"confirmation": "grace@example.com", "password": ""}
    asked = await visitor.request("DELETE", "/api/user", json=body)
    assert (asked.status_code, asked.json()["code"]) == (409, "sign_in_again")

    before = visitor.cookies.get("sagascript_session")
    assert (await confirm(visitor, provider, "grace")).status_code == 200
    assert visitor.cookies.get("sagascript_session") != before
    assert (await visitor.request("DELETE", "/api/user", json=body)).status_code == 200


async def test_a_password_can_be_set_after_it(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    await confirm(visitor, provider, "grace")
    body = {"password_old": "", "password": PASSWORD, "password_confirmation": PASSWORD}
    assert (await visitor.put("/api/user/settings", json=body)).json()["data"]["has_password"] is True
    signed_in = await another.post("/login", json={"email": "grace@example.com", "password": PASSWORD})
    assert signed_in.status_code == 200


async def test_an_old_sign_in_at_the_provider_proves_nothing(visitor: Browser, provider: StandInProvider) -> None:
    """It answered from a session of its own, perhaps of somebody who left the desk."""
    await sign_in_with(visitor, provider, "grace")
    for claims in ({"auth_time": FromNow(-3600)}, {"auth_time": None}):
        answer = await confirm(visitor, provider, "grace", **claims)
        assert answer.status_code == 422
        assert "signed in just now" in answer.json()["message"]
    body = {"confirmation": "grace@example.com", "password": ""}
    assert (await visitor.request("DELETE", "/api/user", json=body)).json()["code"] == "sign_in_again"


async def test_another_person_of_the_provider_proves_nothing(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    answer = await confirm(visitor, provider, "eve")
    assert (answer.status_code, answer.json()["message"].split(".")[0]) == (
        422,
        "You signed in to Stand-in as somebody else",
    )


async def test_an_ordinary_sign_in_is_no_proof(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    await sign_in_with(visitor, provider, "grace")
    body = {"confirmation": "grace@example.com", "password": ""}
    assert (await visitor.request("DELETE", "/api/user", json=body)).json()["code"] == "sign_in_again"


async def test_a_proof_lasts_ten_minutes(visitor: Browser, provider: StandInProvider, monkeypatch: Any) -> None:
    await sign_in_with(visitor, provider, "grace")
    await confirm(visitor, provider, "grace")
    monkeypatch.setattr("api.people.auth.sessions.CONFIRMED_S", -1)
    body = {"confirmation": "grace@example.com", "password": ""}
    assert (await visitor.request("DELETE", "/api/user", json=body)).json()["code"] == "sign_in_again"
