"""People whom a provider adds, changes and turns off, and what that means for their accounts."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.people.account.errors import Suspended
from api.people.account.suspension import LAST_ADMIN
from api.people.audit.models import AuditEntry
from api.people.provisioning.resources import PATH
from api.people.users.models import NO_PASSWORD, BrowserSession, User
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.outbox import CONNECTION_END
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser
from api.tests.provisioning.conftest import Directory

ACTIVE_OFF = {"op": "Replace", "path": "active", "value": "False"}
"""As Microsoft Entra ID writes it."""


async def account(state: AppState, email: str) -> User | None:
    async with state.database.read() as session:
        return (await session.scalars(select(User).where(User.email == email))).one_or_none()


async def test_somebody_new_gets_an_account_without_a_password(directory: Directory, state: AppState) -> None:
    made = await directory.add(
        "Rita@Example.com", externalId="e-1", name={"givenName": "Rita", "familyName": "Jónsdóttir"}, title="Dr."
    )
    assert (made["userName"], made["externalId"], made["active"]) == ("Rita@Example.com", "e-1", True)
    # What we have no use for is not kept.
    assert "title" not in made
    user = await account(state, "rita@example.com")
    assert user is not None
    assert (user.name, user.password_hash, user.suspended_at) == ("Rita Jónsdóttir", NO_PASSWORD, None)
    assert user.email_verified_at is not None
    for query in ('userName eq "rita@example.com"', 'externalId eq "e-1"', 'emails.value co "rita@"', "active eq true"):
        found = await directory.call("GET", f"Users?filter={quote(query)}")
        assert [each["id"] for each in found["Resources"]] == [made["id"]], query
    none = await directory.call("GET", 'Users?filter=userName%20eq%20"nobody"')
    assert (none["totalResults"], none.get("Resources", [])) == (0, [])
    assert (await directory.add("rita@example.COM", status=409))["scimType"] == "uniqueness"


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"userName": "no address"}, "invalidValue"),
        ({"userName": "rita@elsewhere.org"}, "invalidValue"),
        ({"userName": "rita", "emails": [{"value": "rita@elsewhere.org"}]}, "invalidValue"),
        ({"displayName": "Nobody"}, "invalidValue"),
        ({"userName": "x" * 400 + "@example.com"}, "invalidValue"),
        ({"userName": "rita@example.com", "externalId": "x" * 400}, "invalidValue"),
    ],
)
async def test_what_makes_no_account_is_refused(directory: Directory, body: dict[str, Any], kind: str) -> None:
    schemas = ["urn:ietf:params:scim:schemas:core:2.0:User"]
    refused = await directory.call("POST", "Users", {"schemas": schemas, **body}, status=400)
    assert (refused["scimType"], refused["status"]) == (kind, "400")
    assert refused["detail"]


@pytest.mark.long
async def test_who_leaves_is_out_at_once_and_back_when_they_return(
    directory: Directory, ada: Browser, app: FastAPI, state: AppState
) -> None:
    """Ada had an account before, with an address of the provider's domain."""
    key = await ada.post("/api/keys", json={"name": "Robot", "scopes": ["files:read"]})
    assert key.status_code == 201, key.text
    bearer = {"Authorization": f"Bearer {key.json()['data']['secret']}"}
    person = await directory.add("ada@example.com")
    assert (await ada.get("/api/user")).status_code == 200
    async with Browser.open(app, address="192.0.2.9") as robot:
        assert (await robot.get("/api/v1/files", headers=bearer)).status_code == 200
        await directory.patch(f"Users/{person['id']}", ACTIVE_OFF)
        assert (await ada.get("/api/user")).status_code == 401
        assert (await robot.get("/api/v1/files", headers=bearer)).status_code == 401
        refused = await robot.post("/login", json={"email": "ada@example.com", "password": PASSWORD})
        assert (refused.status_code, refused.json()["message"]) == (422, Suspended.message)
        async with state.database.read() as session:
            assert (await session.scalars(select(BrowserSession))).all() == []
            ended = [row.topic for row in await session.scalars(select(OutboxMessage))]
            actions = [each.action for each in await session.scalars(select(AuditEntry).order_by(AuditEntry.at))]
        assert CONNECTION_END in ended
        assert actions[-1] == "account.suspended"

        await directory.patch(f"Users/{person['id']}", {"op": "replace", "value": {"active": True}})
        signed_in = await robot.post("/login", json={"email": "ada@example.com", "password": PASSWORD})
        assert signed_in.status_code == 200
        assert (await robot.get("/api/v1/files", headers=bearer)).status_code == 200

        # Removed there, the account stays here, turned off.
        await directory.call("DELETE", f"Users/{person['id']}", status=204)
        await directory.call("GET", f"Users/{person['id']}", status=404)
        assert (await robot.get("/api/user")).status_code == 401
    user = await account(state, "ada@example.com")
    assert user is not None
    assert user.suspended_at is not None
    again = await directory.add("ada@example.com")
    assert again["id"] != person["id"]
    assert (await account(state, "ada@example.com")).suspended_at is None  # type: ignore[union-attr]


@pytest.mark.parametrize("entry", [{}], ids=["no domains"])
async def test_a_provider_without_domains_takes_over_nobody(directory: Directory, ada: Browser) -> None:
    refused = await directory.add("ada@example.com", status=409)
    assert refused["scimType"] == "uniqueness"
    assert (await ada.get("/api/user")).status_code == 200


async def test_names_and_addresses_follow_where_the_account_is_the_providers(
    directory: Directory, ada: Browser, state: AppState
) -> None:
    rita = await directory.add("rita@example.com", displayName="Rita")
    change = {"op": "replace", "path": 'emails[type eq "work"].value', "value": "rita.j@example.com"}
    await directory.patch(f"Users/{rita['id']}", change, {"op": "add", "path": "displayName", "value": "Rita J."})
    user = await account(state, "rita.j@example.com")
    assert user is not None
    assert user.name == "Rita J."
    # An address that somebody else has, or of another domain, changes nothing.
    for email in ("ada@example.com", "rita@elsewhere.org"):
        await directory.patch(
            f"Users/{rita['id']}", {**change, "value": email}, status=409 if email.startswith("ada") else 400
        )
    assert await account(state, "rita.j@example.com") is not None
    # Ada's own account keeps its address and name.
    own = await directory.add("ada@example.com", displayName="Somebody Else")
    await directory.patch(f"Users/{own['id']}", {**change, "value": "ada.new@example.com"}, status=409)
    assert (await ada.get("/api/user")).json()["data"]["name"] == "Ada"
    replaced = await directory.call("PUT", f"Users/{rita['id']}", {**rita, "userName": "rita2@example.com"})
    assert replaced["userName"] == "rita2@example.com"


async def test_the_last_administrator_stays(directory: Directory, ada: Browser, state: AppState) -> None:
    await promote(state, ada.user_id)
    person = await directory.add("ada@example.com")
    refused = await directory.patch(f"Users/{person['id']}", ACTIVE_OFF, status=400)
    assert refused["detail"] == str(LAST_ADMIN)
    assert (await ada.get("/api/user")).status_code == 200


async def test_only_the_token_opens_and_only_ones_own(directory: Directory, state: AppState, app: FastAPI) -> None:
    person = await directory.add("rita@example.com")
    transport = httpx2.ASGITransport(app=app, client=("192.0.2.77", 1))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as stranger:
        for headers in ({}, {"Authorization": "Bearer sgp_guessed"}, {"Authorization": "Basic YTpi"}):
            for path in ("Users", f"Users/{person['id']}", "Groups", "Schemas", "no-such-place"):
                answer = await stranger.get(f"{PATH}/{path}", headers=headers)
                assert answer.status_code in (401, 429), path
                assert answer.headers["content-type"] == "application/scim+json"
    for path in (f"Users/{uuid.uuid4()}", "Users/not-an-id", "Groups/not-an-id", "elsewhere"):
        missing = await directory.call("GET", path, status=404)
        assert missing["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    broken = await directory.client.post(f"{PATH}/Users", content=b"{")
    assert (broken.status_code, broken.json()["scimType"]) == (400, "invalidSyntax")
    odd = await directory.call("GET", "Users?filter=userName%20is%20odd", status=400)
    assert odd["scimType"] == "invalidFilter"


async def test_pages_hold_what_was_asked_for(directory: Directory) -> None:
    for number in range(5):
        await directory.add(f"p{number}@example.com")
    page = await directory.call("GET", "Users?startIndex=2&count=2&attributes=userName")
    assert (page["totalResults"], page["startIndex"], page["itemsPerPage"]) == (5, 2, 2)
    assert [set(each) for each in page["Resources"]] == [{"schemas", "id", "userName"}] * 2
    assert (await directory.call("GET", "Users?count=0"))["totalResults"] == 5
