"""What somebody would try against a sign-in with a provider. Nobody is signed in by any of it.

After the OAuth 2.0 Security Best Current Practice (RFC 9700) and OpenID Connect Core, 16.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pyotp
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from api.people.providers.models import SignInRequest
from api.people.single_sign_on import metadata, pending
from api.people.users.models import User
from api.platform import sealing
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.signing_in import assert_nobody, bring, sent_to, sign_in_with
from api.testing.identity.stand_in import StandInProvider
from api.testing.mailbox import Mailbox

ADA = {"email": "ada@example.com", "email_verified": True}


def query_of(url: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}


async def test_a_state_serves_once(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    url = await sent_to(visitor)
    assert (await bring(visitor, provider.answer(url, "ada", **ADA))).status_code == 200
    again = await bring(visitor, provider.answer(url, "ada", **ADA))
    assert (again.status_code, again.json()["code"]) == (422, "sign_in_stale")
    await assert_nobody(another)


async def test_a_failed_answer_uses_its_state_up(visitor: Browser, provider: StandInProvider) -> None:
    url = await sent_to(visitor)
    assert (
        await bring(visitor, {"state": query_of(url)["state"], "code": "guess", "iss": provider.url})
    ).status_code == 422
    assert (await bring(visitor, provider.answer(url, "ada", **ADA))).json()["code"] == "sign_in_stale"
    await assert_nobody(visitor)


async def test_an_answer_in_another_browser(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    """Login CSRF: the attacker's answer in the victim's browser, and a stolen answer in the attacker's."""
    answer = provider.answer(await sent_to(visitor), "ada", **ADA)
    stolen = await bring(another, answer)
    assert stolen.json()["code"] == "sign_in_stale"
    await assert_nobody(another)
    # It is not used up: the person it belongs to can go on.
    assert (await bring(visitor, answer)).status_code == 200


async def test_a_code_of_another_sign_in(visitor: Browser, another: Browser, provider: StandInProvider) -> None:
    """Code injection: PKCE binds the code to the browser that began."""
    stolen = provider.answer(await sent_to(visitor), "ada", **ADA)
    own = provider.answer(await sent_to(another), "eve", **ADA)
    assert (await bring(another, {**own, "code": stolen["code"]})).status_code == 422
    await assert_nobody(another)


async def test_an_old_state(visitor: Browser, provider: StandInProvider, state: AppState) -> None:
    url = await sent_to(visitor)
    async with state.database.write() as session:
        await session.execute(update(SignInRequest).values(expires_at=clock.now(-1)))
    assert (await bring(visitor, provider.answer(url, "ada", **ADA))).json()["code"] == "sign_in_stale"


@pytest.mark.parametrize("guess", ["x", "' OR 1=1 --", "\u0000", "ð" * 100], ids=str)
async def test_a_guessed_state(guess: str, visitor: Browser, provider: StandInProvider) -> None:
    assert (await bring(visitor, {"state": guess, "code": "x", "iss": provider.url})).json()["code"] == "sign_in_stale"


async def test_a_page_of_another_site_can_start_and_finish_nothing(visitor: Browser, provider: StandInProvider) -> None:
    answer = provider.answer(await sent_to(visitor), "ada", **ADA)
    for path, body in (("", {}), ("/answer", answer), ("/proof", {"token": "x"})):
        forged = await visitor.post(f"/api/sign-in/stand-in{path}", json=body, headers={"X-XSRF-TOKEN": "forged"})
        assert forged.status_code == 419
    await assert_nobody(visitor)


async def test_the_answer_of_another_issuer(visitor: Browser, provider: StandInProvider) -> None:
    """Mix-up (RFC 9207)."""
    answer = provider.answer(await sent_to(visitor), "ada", **ADA)
    assert (await bring(visitor, {**answer, "iss": "https://evil.example"})).status_code == 422
    await assert_nobody(visitor)


async def test_an_answer_that_leaves_out_the_issuer_it_promised(visitor: Browser, provider: StandInProvider) -> None:
    provider.published = {"authorization_response_iss_parameter_supported": True}
    answer = provider.answer(await sent_to(visitor), "ada", **ADA)
    del answer["iss"]
    assert (await bring(visitor, answer)).status_code == 422
    await assert_nobody(visitor)


class TestTwoProviders:
    @pytest.fixture
    def settings(self, settings: ApiSettings, provider: StandInProvider) -> ApiSettings:
        other = provider.configured(slug="other", name="Other", domains=["example.org"], is_required=True)
        return settings.model_copy(update={"identity_providers": [*settings.identity_providers, other]})

    async def test_an_answer_for_one_is_none_for_the_other(self, visitor: Browser, provider: StandInProvider) -> None:
        answer = provider.answer(await sent_to(visitor), "ada", **ADA)
        assert (await bring(visitor, answer, slug="other")).json()["code"] == "sign_in_stale"
        await assert_nobody(visitor)

    async def test_whoever_must_use_one_cannot_use_another(self, visitor: Browser, provider: StandInProvider) -> None:
        answer = await sign_in_with(visitor, provider, "grace", email="grace@example.org")
        assert answer.json()["code"] == "must_use_provider"
        await assert_nobody(visitor)

    async def test_whoever_is_linked_already_cannot_either(
        self, visitor: Browser, provider: StandInProvider, state: AppState
    ) -> None:
        """Their address came under the rule after the link, or the rule after their address."""
        assert (await sign_in_with(visitor, provider, "grace")).status_code == 200
        async with state.database.write() as session:
            await session.execute(update(User).values(email="grace@example.org"))
        await visitor.post("/api/user/logout")
        assert (await sign_in_with(visitor, provider, "grace")).json()["code"] == "must_use_provider"
        await assert_nobody(visitor)


async def test_userinfo_of_another_person(visitor: Browser, provider: StandInProvider) -> None:
    provider.userinfo = {"sub": "somebody-else", "email": "ada@example.com", "email_verified": True}
    answer = await bring(visitor, provider.answer(await sent_to(visitor), "eve"))
    assert answer.status_code == 422
    await assert_nobody(visitor)


async def test_userinfo_cannot_replace_what_was_signed(visitor: Browser, provider: StandInProvider) -> None:
    provider.userinfo = {"sub": "eve", "email": "ada@example.com", "email_verified": True, "iss": "x", "groups": []}
    url = await sent_to(visitor)
    answer = await bring(visitor, provider.answer(url, "eve", email="eve@example.com", email_verified=True))
    assert answer.json()["data"]["user"]["email"] == "eve@example.com"


async def test_the_same_subject_of_another_issuer(
    visitor: Browser, another: Browser, provider: StandInProvider, state: AppState, app: FastAPI
) -> None:
    """Identities are of an issuer: a provider that calls its own person the same gets nobody else's account."""
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 200
    provider.published = {"issuer": "https://evil.example"}
    app.state.provider_metadata = metadata.ProviderMetadata()
    assert (await another.post("/api/sign-in/stand-in", json={})).status_code == 422


@pytest.mark.long
@pytest.mark.parametrize(
    "published",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://evil.example/authorize"},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": 7},
        {"id_token_signing_alg_values_supported": ["none", "HS256"]},
    ],
    ids=str,
)
async def test_a_discovery_document_that_cannot_be_used(
    published: dict[str, Any], visitor: Browser, provider: StandInProvider
) -> None:
    provider.published = published
    answer = await visitor.post("/api/sign-in/stand-in", json={})
    assert answer.status_code == 422
    assert "could not be trusted" in answer.json()["message"]


async def test_a_provider_cannot_send_us_elsewhere(visitor: Browser, provider: StandInProvider) -> None:
    provider.location = "http://169.254.169.254/latest/meta-data"
    assert (await visitor.post("/api/sign-in/stand-in", json={})).status_code == 503


async def test_a_provider_that_never_stops_talking(visitor: Browser, provider: StandInProvider) -> None:
    provider.padding = 3_000_000
    assert (await visitor.post("/api/sign-in/stand-in", json={})).status_code == 503
    provider.padding = 0
    answer = provider.answer(await sent_to(visitor), "ada", **ADA)
    # Nor may it where it gives the tokens.
    provider.padding = 3_000_000
    assert (await bring(visitor, answer)).status_code == 503
    await assert_nobody(visitor)


async def test_a_packed_answer(visitor: Browser, provider: StandInProvider) -> None:
    provider.encoding = "gzip"
    assert (await visitor.post("/api/sign-in/stand-in", json={})).status_code == 503


async def test_a_confirmation_of_another_address(visitor: Browser, provider: StandInProvider) -> None:
    provider.userinfo = {"sub": "eve", "email": "eve@example.com", "email_verified": True}
    answer = await bring(visitor, provider.answer(await sent_to(visitor), "eve", email="victim@example.com"))
    assert answer.json()["data"]["user"]["email_verified"] is False


async def test_an_unknown_key_reads_the_keys_again_but_not_each_time(
    visitor: Browser, provider: StandInProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "KEYS_AGAIN_S", 3600.0)
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 200
    provider.rotate()
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 422, "the keys were just read"
    monkeypatch.setattr(metadata, "KEYS_AGAIN_S", 0.0)
    assert (await sign_in_with(visitor, provider, "ada")).status_code == 200
    monkeypatch.setattr(metadata, "KEYS_AGAIN_S", 3600.0)
    provider.header = {"kid": "made-up"}
    provider.reads.clear()
    for _ in range(3):
        assert (await sign_in_with(visitor, provider, "eve")).status_code == 422
    assert provider.reads.count("/jwks") == 0


async def test_a_redirect_goes_only_to_our_own_address(visitor: Browser) -> None:
    answer = await visitor.post("/api/sign-in/stand-in", json={}, headers={"Origin": "https://evil.example"})
    assert query_of(answer.json()["data"]["url"])["redirect_uri"].startswith("http://127.0.0.1:8080/")


async def test_a_pending_sign_in_is_worth_nothing_elsewhere(
    visitor: Browser, another: Browser, provider: StandInProvider, sign_up: SignUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    await sign_up("ada")
    token = (await sign_in_with(visitor, provider, "ada")).json()["data"]["token"]
    body = {"token": token, "password": PASSWORD}
    assert (await another.post("/api/sign-in/stand-in/proof", json=body)).json()["code"] == "sign_in_stale"
    for changed in (token[:-4] + "AAAA", "x", "ð"):
        body = {"token": changed, "password": PASSWORD}
        assert (await visitor.post("/api/sign-in/stand-in/proof", json=body)).json()["code"] == "sign_in_stale"
    # Nor can it restore an account that it was not about, or be used without the password.
    for body in ({"token": token, "restore": True}, {"token": token}, {"token": token, "password": ""}):
        assert (await visitor.post("/api/sign-in/stand-in/proof", json=body)).status_code == 422
    await assert_nobody(visitor)
    monkeypatch.setattr(pending, "PENDING_S", -1)
    body = {"token": token, "password": PASSWORD}
    assert (await visitor.post("/api/sign-in/stand-in/proof", json=body)).json()["code"] == "sign_in_stale"


async def test_a_link_is_no_way_around_a_second_factor(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    ada = await sign_up("ada")
    begun = await ada.post("/api/user/second-factor", json={"password": PASSWORD})
    app = pyotp.TOTP(begun.json()["data"]["secret"])
    turned_on = await ada.put("/api/user/second-factor", json={"code": app.now()})
    recovery_code = turned_on.json()["data"]["codes"][0]
    token = (await sign_in_with(visitor, provider, "ada")).json()["data"]["token"]
    body = {"token": token, "password": PASSWORD}
    asked = await visitor.post("/api/sign-in/stand-in/proof", json=body)
    assert (asked.status_code, asked.json()["code"]) == (409, "code_needed")
    wrong = await visitor.post("/api/sign-in/stand-in/proof", json={**body, "code": "000000"})
    assert list(wrong.json()["errors"]) == ["code"]
    await assert_nobody(visitor)
    done = await visitor.post("/api/sign-in/stand-in/proof", json={**body, "code": recovery_code})
    assert done.json()["data"]["step"] == "done"


async def test_an_account_that_somebody_made_in_anothers_name(
    visitor: Browser, another: Browser, provider: StandInProvider, mailbox: Mailbox
) -> None:
    """Pre-hijacking: a provider that checks no addresses makes the victim's account before the victim comes."""
    await sign_in_with(another, provider, "eve", email="victim@example.com", email_verified=False)
    assert (await another.get("/api/user")).json()["data"]["email_verified"] is False
    await visitor.post("/forgot-password", json={"email": "victim@example.com"})
    token = urlsplit(await mailbox.link("victim@example.com")).path.split("/")[2]
    body = {
        "token": token,
        "email": "victim@example.com",
        "password": PASSWORD,
        "password_confirmation": PASSWORD,
    }
    assert (await visitor.post("/reset-password", json=body)).status_code == 204
    await assert_nobody(another)
    again = await sign_in_with(another, provider, "eve", email="victim@example.com", email_verified=False)
    assert again.json()["data"]["step"] == "password"
    await assert_nobody(another)


async def test_other_sealed_texts_are_no_pending_sign_ins(visitor: Browser, state: AppState) -> None:
    sealed = sealing.seal(state.settings, b"another purpose", "{}")
    answer = await visitor.post("/api/sign-in/stand-in/proof", json={"token": sealed, "password": "x"})
    assert answer.json()["code"] == "sign_in_stale"


async def test_passwords_cannot_be_guessed_faster_here(
    visitor: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    await sign_up("ada")
    token = (await sign_in_with(visitor, provider, "ada")).json()["data"]["token"]
    statuses = [
        (
            await visitor.post("/api/sign-in/stand-in/proof", json={"token": token, "password": f"guess {number}"})
        ).status_code
        for number in range(6)
    ]
    assert statuses == [422] * 5 + [429]
    assert (await visitor.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).status_code == 429


@pytest.mark.long
async def test_starts_and_answers_are_limited(visitor: Browser, provider: StandInProvider) -> None:
    statuses = {(await visitor.post("/api/sign-in/stand-in", json={})).status_code for _ in range(31)}
    assert statuses == {200, 429}
    answer = {"state": "x", "code": "x", "iss": provider.url}
    assert {(await bring(visitor, answer)).status_code for _ in range(31)} == {422, 429}


async def test_a_password_stays_out_of_reach_for_an_account_without_one(
    visitor: Browser, another: Browser, provider: StandInProvider
) -> None:
    await sign_in_with(visitor, provider, "grace")
    for password in ("!", "", "None"):
        answer = await another.post("/login", json={"email": "grace@example.com", "password": password})
        assert answer.json()["message"] == "These credentials do not match our records."
