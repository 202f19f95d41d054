"""Administrators add, change and remove identity providers; what stands in the settings they only see."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from sqlalchemy import update

from api.people.providers.models import ProviderRow
from api.people.providers.settings_entries import entries_of_settings
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp
from api.testing.identity.signing_in import sign_in_with
from api.testing.identity.stand_in import CLIENT, SECRET, StandInProvider

PROVIDERS = "/api/admin/providers"


@pytest.fixture
def settings(settings: ApiSettings) -> ApiSettings:
    """Without a provider in the settings, unless a test says so."""
    return settings.model_copy(update={"identity_providers": []})


@pytest.fixture
async def root(sign_up: SignUp, state: AppState) -> Browser:
    browser = await sign_up("root")
    await promote(state, browser.user_id)
    return browser


def described(provider: StandInProvider, **changes: Any) -> dict[str, Any]:
    return {"slug": "work", "name": "Work", "issuer": provider.url, "client_id": CLIENT} | changes


async def add(browser: Browser, provider: StandInProvider, **changes: Any) -> Any:
    return await browser.post(PROVIDERS, json={"provider": described(provider, **changes), "client_secret": SECRET})


async def test_people_sign_in_with_what_an_administrator_added(
    root: Browser, visitor: Browser, provider: StandInProvider
) -> None:
    added = (await add(root, provider)).json()["data"]
    assert added["redirect_uri"] == "http://127.0.0.1:8080/sign-in/work"
    assert (added["has_secret"], added["is_configured"], added["people"]) == (True, False, 0)
    assert (await sign_in_with(visitor, provider, "grace", slug="work")).status_code == 200
    assert (await root.get(PROVIDERS)).json()["data"][0]["people"] == 1


async def test_a_secret_is_stored_encrypted_and_shown_to_nobody(
    root: Browser, provider: StandInProvider, state: AppState
) -> None:
    added = await add(root, provider)
    assert SECRET not in added.text
    assert SECRET not in (await root.get(PROVIDERS)).text
    async with state.database.read() as session:
        row = await session.get_one(ProviderRow, "work")
    assert SECRET not in f"{row.secret} {json.dumps(row.described)}"


async def test_a_change_keeps_the_secret_that_it_leaves_out(
    root: Browser, visitor: Browser, provider: StandInProvider
) -> None:
    await add(root, provider)
    body: dict[str, Any] = {"provider": described(provider, name="Office"), "client_secret": None}
    changed = (await root.put(f"{PROVIDERS}/work", json=body)).json()["data"]
    assert (changed["provider"]["name"], changed["has_secret"]) == ("Office", True)
    assert (await sign_in_with(visitor, provider, "grace", slug="work")).status_code == 200
    body["client_secret"] = ""
    assert (await root.put(f"{PROVIDERS}/work", json=body)).json()["data"]["has_secret"] is False


async def test_a_provider_that_is_off_signs_nobody_in(
    root: Browser, visitor: Browser, provider: StandInProvider
) -> None:
    await add(root, provider, domains=["example.com"], is_required=True)
    body = {"provider": described(provider, domains=["example.com"], is_required=True), "is_enabled": False}
    await root.put(f"{PROVIDERS}/work", json=body)
    assert (await visitor.get("/api/sign-in/providers")).json()["data"] == []
    assert (await visitor.post("/api/sign-in/work", json={})).status_code == 404
    # Nor does it keep anybody from using a password.
    answer = await visitor.post("/login", json={"email": "grace@example.com", "password": "some password"})
    assert answer.json()["message"] == "These credentials do not match our records."


async def test_a_removed_provider_is_gone_and_its_links_wait(
    root: Browser, visitor: Browser, provider: StandInProvider
) -> None:
    await add(root, provider)
    first = (await sign_in_with(visitor, provider, "grace", slug="work")).json()["data"]["user"]
    assert (await root.delete(f"{PROVIDERS}/work")).status_code == 204
    assert (await root.delete(f"{PROVIDERS}/work")).status_code == 404
    # Whoever came in by it is out, and comes in by another.
    assert (await visitor.get("/api/user")).status_code == 401
    assert (await visitor.post("/api/sign-in/work", json={})).status_code == 404
    await add(root, provider, slug="again")
    second = (await sign_in_with(visitor, provider, "grace", slug="again")).json()["data"]["user"]
    assert second["id"] == first["id"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"issuer": "http://id.example.com"}, "provider.issuer"),
        ({"issuer": "https://id.example.com?x=1"}, "provider.issuer"),
        ({"issuer": "https://me:secret@id.example.com"}, "provider.issuer"),
        ({"issuer": "javascript:alert(1)"}, "provider.issuer"),
        ({"slug": "Work"}, "provider.slug"),
        ({"slug": "../etc"}, "provider.slug"),
        ({"domains": ["not a domain"]}, "provider.domains.0"),
        ({"is_required": True}, "provider"),
        ({"client_id": ""}, "provider.client_id"),
        ({"team_groups": [{"group": "staff", "team_id": str(uuid.UUID(int=1))}]}, "team_groups"),
    ],
    ids=str,
)
async def test_what_cannot_work_is_refused_by_field(
    changes: dict[str, Any], field: str, root: Browser, provider: StandInProvider
) -> None:
    answer = await add(root, provider, **changes)
    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == [field]


async def test_a_short_name_belongs_to_one(root: Browser, provider: StandInProvider) -> None:
    await add(root, provider)
    assert list((await add(root, provider)).json()["errors"]) == ["slug"]
    body = {"provider": described(provider, slug="other")}
    assert list((await root.put(f"{PROVIDERS}/work", json=body)).json()["errors"]) == ["slug"]


async def test_an_issuer_is_checked_before_anybody_depends_on_it(root: Browser, provider: StandInProvider) -> None:
    found = (await root.post(f"{PROVIDERS}/check", json={"issuer": provider.url})).json()["data"]
    assert (found["algorithms"], found["ends_session"]) == (["RS256"], True)
    provider.published = {"issuer": "https://another.example"}
    assert (await root.post(f"{PROVIDERS}/check", json={"issuer": provider.url})).status_code == 422
    assert (await root.post(f"{PROVIDERS}/check", json={"issuer": "http://10.0.0.1"})).status_code == 422


async def test_nobody_else_manages_providers(provider: StandInProvider, sign_up: SignUp) -> None:
    ada = await sign_up("ada")
    statuses = [
        (await ada.get(PROVIDERS)).status_code,
        (await add(ada, provider)).status_code,
        (await ada.delete(f"{PROVIDERS}/work")).status_code,
        (await ada.post(f"{PROVIDERS}/check", json={"issuer": provider.url})).status_code,
    ]
    assert set(statuses) == {403}


async def test_the_audit_log_says_what_changed(root: Browser, provider: StandInProvider) -> None:
    await add(root, provider)
    await root.put(f"{PROVIDERS}/work", json={"provider": described(provider, makes_accounts=False)})
    await root.delete(f"{PROVIDERS}/work")
    sentences = [entry["sentence"] for entry in (await root.get("/api/admin/audit")).json()["data"]]
    assert sentences[:3] == [
        "Removed the identity provider Work",
        "Changed the identity provider Work: makes_accounts",
        "Added the identity provider Work",
    ]


async def test_a_secret_of_another_key_turns_its_provider_off(
    root: Browser, visitor: Browser, provider: StandInProvider, state: AppState
) -> None:
    await add(root, provider)
    async with state.database.write() as session:
        await session.execute(update(ProviderRow).values(secret="from another installation"))
    assert (await visitor.get("/api/sign-in/providers")).json()["data"] == []
    entry = (await root.get(PROVIDERS)).json()["data"][0]
    assert (entry["is_enabled"], entry["has_secret"]) == (False, False)


class TestInTheSettings:
    @pytest.fixture
    def settings(self, settings: ApiSettings, provider: StandInProvider) -> ApiSettings:
        return settings.model_copy(update={"identity_providers": [provider.configured(slug="work")]})

    async def test_no_page_changes_it(self, root: Browser, provider: StandInProvider) -> None:
        entry = (await root.get(PROVIDERS)).json()["data"][0]
        assert (entry["is_configured"], entry["has_secret"]) == (True, True)
        body = {"provider": described(provider)}
        assert (await root.put(f"{PROVIDERS}/work", json=body)).status_code == 409
        assert (await root.delete(f"{PROVIDERS}/work")).status_code == 409


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ([{}], "Provider 1 in SAGASCRIPT_IDENTITY_PROVIDERS: slug: Field required"),
        (
            [{"slug": "a", "name": "A", "issuer": "https://a.example", "client_id": "x", "colour": "red"}],
            "Provider 1 in SAGASCRIPT_IDENTITY_PROVIDERS: colour: Extra inputs are not permitted",
        ),
        (
            [{"slug": "a", "name": "A", "issuer": "https://a.example", "client_id": "x"}] * 2,
            "SAGASCRIPT_IDENTITY_PROVIDERS names the provider a twice.",
        ),
    ],
    ids=["missing", "unknown", "twice"],
)
def test_a_wrong_setting_is_named(entries: list[dict[str, Any]], sentence: str) -> None:
    with pytest.raises(ValueError, match="SAGASCRIPT_IDENTITY_PROVIDERS") as refusal:
        entries_of_settings(ApiSettings(identity_providers=entries))
    assert str(refusal.value) == sentence
