"""People whom the provider has added by SCIM, when they sign in with it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.people.account.errors import Suspended
from api.people.provisioning.resources import PATH
from api.people.provisioning.tokens import make_token
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.signing_in import sign_in_with
from api.testing.identity.stand_in import StandInProvider

USER = "urn:ietf:params:scim:schemas:core:2.0:User"


@pytest.fixture
def entry() -> dict[str, Any]:
    return {"domains": ["example.com"], "admin_groups": ["Admins"]}


@pytest.fixture
async def scim(app: FastAPI, state: AppState) -> AsyncIterator[httpx2.AsyncClient]:
    async with state.database.write() as session:
        token = await make_token(session, "stand-in")
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(transport=transport, base_url=f"http://localhost{PATH}", headers=headers) as client:
        yield client


async def test_the_account_that_was_made_for_them_is_theirs(
    scim: httpx2.AsyncClient, visitor: Browser, another: Browser, provider: StandInProvider, state: AppState
) -> None:
    made = await scim.post("/Users", json={"schemas": [USER], "userName": "grace@example.com", "displayName": "Grace"})
    assert made.status_code == 201, made.text
    signed_in = (await sign_in_with(visitor, provider, "grace")).json()["data"]
    assert (signed_in["step"], signed_in["user"]["name"]) == ("done", "Grace")
    # Groups that come by SCIM count, whatever the sign-in says.
    group = {"schemas": [USER.replace("User", "Group")], "displayName": "Films", "members": []}
    assert (await scim.post("/Groups", json=group)).status_code == 201
    async with state.database.read() as session:
        assert len((await session.scalars(select(User))).all()) == 1
    again = (await sign_in_with(another, provider, "grace", groups=["Admins"])).json()["data"]
    assert again["user"]["is_admin"] is False

    off = {"op": "replace", "path": "active", "value": False}
    schemas = ["urn:ietf:params:scim:api:messages:2.0:PatchOp"]
    person = made.json()["id"]
    assert (await scim.patch(f"/Users/{person}", json={"schemas": schemas, "Operations": [off]})).status_code == 200
    assert (await visitor.get("/api/user")).status_code == 401
    refused = await sign_in_with(visitor, provider, "grace")
    assert (refused.status_code, refused.json()["message"]) == (422, Suspended.message)


async def test_somebodys_own_account_still_asks_for_its_password(
    scim: httpx2.AsyncClient, visitor: Browser, provider: StandInProvider, sign_up: SignUp
) -> None:
    await sign_up("ada")
    added = await scim.post("/Users", json={"schemas": [USER], "userName": "ada@example.com"})
    assert added.status_code == 201, added.text
    answer = (await sign_in_with(visitor, provider, "ada")).json()["data"]
    assert answer["step"] == "password"
    assert (await visitor.get("/api/user")).status_code == 401


@pytest.mark.long
async def test_an_administrator_makes_and_ends_the_token(
    ada: Browser, bob: Browser, visitor: Browser, state: AppState
) -> None:
    path = "/api/admin/providers/stand-in/provisioning-token"
    assert (await ada.post(path)).status_code == 403
    await promote(state, ada.user_id)
    token = (await ada.post(path)).json()["data"]["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert (await visitor.get(f"{PATH}/Users", headers=bearer)).status_code == 200
    (shown,) = (await ada.get("/api/admin/providers")).json()["data"]
    assert shown["provisioning_url"].endswith(PATH)
    assert shown["token_made_at"]
    assert shown["token_used_at"]
    assert token not in (await ada.get("/api/admin/providers")).text
    newer = (await ada.post(path)).json()["data"]["token"]
    assert (await visitor.get(f"{PATH}/Users", headers=bearer)).status_code == 401
    assert (await ada.request("DELETE", path)).status_code == 204
    gone = {"Authorization": f"Bearer {newer}"}
    assert (await visitor.get(f"{PATH}/Users", headers=gone)).status_code == 401
    assert (await ada.post("/api/admin/providers/none/provisioning-token")).status_code == 404


async def test_an_administrator_turns_accounts_off_and_on(ada: Browser, bob: Browser, state: AppState) -> None:
    await promote(state, ada.user_id)
    path = f"/api/admin/users/{bob.user_id}/suspension"
    assert (await bob.put(path)).status_code == 403
    assert (await ada.put(path)).json()["data"]["suspended_at"]
    assert (await bob.get("/api/user")).status_code == 401
    login = {"email": "bob@example.com", "password": PASSWORD}
    assert (await bob.post("/login", json=login)).json()["code"] == "account_suspended"
    started = await ada.post("/api/browse-as", json={"id": str(bob.user_id), "reason": "To look at it"})
    assert started.status_code == 404
    assert (await ada.request("DELETE", path)).json()["data"]["suspended_at"] is None
    assert (await bob.post("/login", json=login)).status_code == 200
    own = await ada.put(f"/api/admin/users/{ada.user_id}/suspension")
    assert own.status_code == 409
