"""Signing out here ends the provider's session, and a provider ends ours: in the browser and in realtime."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from sqlalchemy import select

from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.outbox import CONNECTION_END
from api.testing.browser import Browser, SignUp
from api.testing.identity.signing_in import sign_in_with
from api.testing.identity.stand_in import FromNow, StandInProvider

BACK = "/api/sign-in/stand-in/back-channel-logout"
FRONT = "/api/sign-in/stand-in/front-channel-logout"


async def is_signed_in(browser: Browser) -> bool:
    return (await browser.get("/api/user")).status_code == 200


async def test_signing_out_here_leads_to_the_provider(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    answer = await visitor.post("/api/user/logout")
    assert answer.status_code == 200
    url = urlsplit(answer.json()["data"]["url"])
    query = parse_qs(url.query)
    assert f"{url.scheme}://{url.netloc}{url.path}" == f"{provider.url}/logout"
    assert query["post_logout_redirect_uri"] == ["http://127.0.0.1:8080/login"]
    assert query["id_token_hint"][0].count(".") == 2
    assert not await is_signed_in(visitor)


async def test_a_password_session_ends_here_alone(sign_up: SignUp) -> None:
    ada = await sign_up("ada")
    assert (await ada.post("/api/user/logout")).status_code == 204


async def test_a_provider_that_is_down_keeps_nobody_signed_in(
    visitor: Browser, provider: StandInProvider, app: Any
) -> None:
    await sign_in_with(visitor, provider, "grace")
    app.state.provider_metadata._known.clear()
    provider.status = 503
    assert (await visitor.post("/api/user/logout")).status_code == 204
    assert not await is_signed_in(visitor)


class TestWithoutTheirs:
    @pytest.fixture
    def entry(self) -> dict[str, Any]:
        return {"ends_session": False}

    async def test_the_provider_keeps_its_session(self, visitor: Browser, provider: StandInProvider) -> None:
        await sign_in_with(visitor, provider, "grace")
        assert (await visitor.post("/api/user/logout")).status_code == 204


async def test_the_provider_ends_one_session(
    visitor: Browser, another: Browser, provider: StandInProvider, state: AppState
) -> None:
    await sign_in_with(visitor, provider, "grace", sid="one")
    await sign_in_with(another, provider, "grace", sid="two")
    answer = await visitor.post(BACK, data={"logout_token": provider.logout_token(sid="one", sub="grace")})
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")
    assert not await is_signed_in(visitor)
    assert await is_signed_in(another)
    async with state.database.read() as session:
        ends = (await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == CONNECTION_END))).all()
    assert len(ends) == 1, "its websocket ends too"


async def test_the_provider_ends_all_sessions_of_a_person(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada = await sign_up("ada")
    await sign_in_with(visitor, provider, "grace", sid="one")
    await sign_in_with(another, provider, "grace", sid="two")
    await visitor.post(BACK, data={"logout_token": provider.logout_token(sub="grace")})
    assert [await is_signed_in(each) for each in (visitor, another, ada)] == [False, False, True]


async def test_the_account_log_says_who_signed_it_out(visitor: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    await visitor.post(BACK, data={"logout_token": provider.logout_token(sub="grace")})
    await sign_in_with(visitor, provider, "grace")
    entries = (await visitor.get("/api/user/log")).json()["data"]
    sentences = [entry["sentence"] for entry in entries]
    assert "Signed out 1 browsers, because Stand-in ended the session" in sentences
    assert "Signed in with Stand-in" in sentences


async def test_the_front_channel_ends_a_session(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace", sid="one")
    assert (await another.get(FRONT, params={"iss": "https://evil.example", "sid": "one"})).status_code == 200
    assert await is_signed_in(visitor)
    assert (await another.get(FRONT, params={"iss": provider.url, "sid": "one"})).status_code == 200
    assert not await is_signed_in(visitor)


@pytest.mark.parametrize("query", [{}, {"iss": "x"}, {"iss": "x", "sid": ""}], ids=str)
async def test_the_front_channel_needs_a_session(query: dict[str, str], visitor: Browser) -> None:
    assert (await visitor.get(FRONT, params=query)).status_code == 422


@pytest.mark.long
@pytest.mark.parametrize(
    "claims",
    [
        {"events": None},
        {"events": {}},
        {"events": {"http://schemas.openid.net/event/other": {}}},
        {"nonce": "as in an ID token"},
        {"aud": "another-client"},
        {"iss": "https://evil.example"},
        {"exp": FromNow(-90)},
        {"exp": None},
        {"jti": None},
        {"sub": None},
    ],
    ids=str,
)
async def test_a_logout_token_that_is_none(
    claims: dict[str, Any], visitor: Browser, another: Browser, provider: StandInProvider
) -> None:
    await sign_in_with(visitor, provider, "grace")
    token = provider.logout_token(**{"sub": "grace", **claims})
    assert (await another.post(BACK, data={"logout_token": token})).status_code == 400
    assert await is_signed_in(visitor)


async def test_a_forged_logout_token(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    provider.sign = provider.by_another_key
    assert (await another.post(BACK, data={"logout_token": provider.logout_token(sub="grace")})).status_code == 400
    assert await is_signed_in(visitor)


async def test_a_logout_token_serves_once(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    await sign_in_with(visitor, provider, "grace")
    token = provider.logout_token(sub="grace")
    assert (await another.post(BACK, data={"logout_token": token})).status_code == 200
    await sign_in_with(visitor, provider, "grace")
    assert (await another.post(BACK, data={"logout_token": token})).status_code == 400
    assert await is_signed_in(visitor)
