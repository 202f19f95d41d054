"""API keys: made, shown once, listed, used, limited and revoked."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.people.api_keys.caller import ApiCaller, requires
from api.people.api_keys.errors import KeyExhausted, KeyRefused, ScopeMissing
from api.people.api_keys.limits import KEYS_MAX
from api.people.api_keys.models import ApiKey
from api.people.api_keys.scopes import Scope
from api.people.api_keys.secrets import hash_secret
from api.people.api_keys.service import TOO_MANY
from api.people.api_keys.usage import charge, give_back
from api.people.teams.models import Membership, TeamRole
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.retention.rules import RuleTools
from api.retention import RULES
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.teams import join, new_team

only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PROBE = "/api/v1/test-of-keys"


@pytest.fixture
async def program(app: FastAPI) -> AsyncIterator[Browser]:
    """A program that calls with a key: it has no cookies. The app has a call that says whom a key acts for."""

    @app.api_route(PROBE, methods=["GET", "POST"], dependencies=[requires(Scope.TRANSCRIBE)])
    async def who(caller: ApiCaller) -> dict[str, Any]:
        viewer = caller.viewer
        return {"user": str(viewer.user_id), "team": str(viewer.team_id), "is_admin": viewer.is_admin}

    # The pages answer whatever no route before them does.
    app.router.routes.insert(0, app.router.routes.pop())
    async with Browser.open(app) as opened:
        yield opened


async def make(browser: Browser, *, headers: dict[str, str] | None = None, **fields: Any) -> dict[str, Any]:
    body = {"name": "Newsroom robot", "scopes": ["transcribe"], **fields}
    answer = await browser.post("/api/keys", json=body, headers=headers)
    assert answer.status_code == 201, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def test_a_key_is_shown_once_works_and_ends_when_revoked(
    ada: Browser, program: Browser, database: Database
) -> None:
    made = await make(ada)
    secret = made["secret"]
    assert secret.startswith("sgk_")
    assert len(secret) > 40

    answer = await program.get(PROBE, headers=bearer(secret))
    assert answer.json() == {"user": ada.user["id"], "team": "None", "is_admin": False}
    # Without a cookie there is nothing to forge.
    assert (await program.post(PROBE, headers=bearer(secret))).status_code == 200

    (listed,) = (await ada.get("/api/keys")).json()["data"]
    assert "secret" not in listed
    assert secret.startswith(listed["prefix"])
    assert listed["last_used_at"] is not None
    async with database.read() as session:
        assert (await session.scalars(select(ApiKey.secret_hash))).all() == [hash_secret(secret)]

    assert (await ada.delete(f"/api/keys/{made['id']}")).status_code == 204
    refused = await program.get(PROBE, headers=bearer(secret))
    assert (refused.status_code, refused.json()["message"]) == (401, KeyRefused.message)
    assert (await ada.get("/api/keys")).json()["data"] == []
    log = (await ada.get("/api/user/log")).json()["data"]
    assert [entry["action"] for entry in log if "key" in entry["action"]] == ["api_key.revoked", "api_key.created"]
    assert secret not in str(log)


@only_sqlite
async def test_what_a_key_is_refused(ada: Browser, program: Browser, database: Database) -> None:
    reader = await make(ada, scopes=["files:read"])
    lacking = await program.get(PROBE, headers=bearer(reader["secret"]))
    assert (lacking.status_code, lacking.json()["code"]) == (403, ScopeMissing.code)
    # Calls of the pages look at cookies alone.
    assert (await program.get("/api/files", headers=bearer(reader["secret"]))).status_code == 401

    for header in ({}, bearer("sgk_unknown"), bearer(""), {"Authorization": f"Basic {reader['secret']}"}):
        assert (await program.get(PROBE, headers=header)).status_code == 401
    assert (await ada.get(PROBE)).status_code == 401

    ending = await make(ada, expires_days=1)
    async with database.write() as session:
        await session.execute(
            update(ApiKey).where(ApiKey.id == uuid.UUID(ending["id"])).values(expires_at=clock.now(-1))
        )
    assert (await program.get(PROBE, headers=bearer(ending["secret"]))).status_code == 401
    shown = {key["id"]: key for key in (await ada.get("/api/keys")).json()["data"]}
    assert shown[ending["id"]]["has_expired"]


@only_sqlite
async def test_calls_beyond_the_keys_number_a_minute_wait(ada: Browser, program: Browser) -> None:
    key, other = await make(ada, requests_minute=2), await make(ada)
    statuses = [(await program.get(PROBE, headers=bearer(key["secret"]))).status_code for _ in range(2)]
    refused = await program.get(PROBE, headers=bearer(key["secret"]))
    assert [*statuses, refused.status_code] == [200, 200, 429]
    assert int(refused.headers["Retry-After"]) > 0
    assert (await program.get(PROBE, headers=bearer(other["secret"]))).status_code == 200


async def test_minutes_of_a_month_are_counted_and_given_back(ada: Browser, database: Database) -> None:
    key_id = uuid.UUID((await make(ada, minutes_month=1))["id"])
    async with database.write() as session:
        month = await charge(session, key_id, 40)
        assert month is not None
    with pytest.raises(KeyExhausted) as refused:
        async with database.write() as session:
            await charge(session, key_id, 21)
    assert int((refused.value.headers or {})["Retry-After"]) > 0
    async with database.write() as session:
        await give_back(session, key_id, month, 40)
        assert await charge(session, key_id, 60) == month
    (shown,) = (await ada.get("/api/keys")).json()["data"]
    assert (shown["seconds_used"], shown["minutes_month"]) == (60, 1)
    async with database.write() as session:
        await session.execute(update(ApiKey).values(used_month="2020-01"))
    (shown,) = (await ada.get("/api/keys")).json()["data"]
    assert shown["seconds_used"] == 0
    async with database.write() as session:
        assert await charge(session, key_id, 60) == month
        assert await charge(session, uuid.uuid4(), 60) is None


@pytest.mark.long
@only_sqlite
async def test_a_teams_key_ends_with_the_membership(
    ada: Browser, bob: Browser, program: Browser, state: AppState
) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    key = await make(bob, headers={"X-Active-Team": team_id})
    answer = await program.get(PROBE, headers=bearer(key["secret"]))
    assert answer.json() == {"user": bob.user["id"], "team": team_id, "is_admin": False}
    # A team's owner sees and ends what acts for the team; a colleague's own keys are theirs.
    own = await make(bob)
    assert [each["id"] for each in (await ada.get("/api/keys")).json()["data"]] == [key["id"]]
    assert (await ada.delete(f"/api/keys/{own['id']}")).status_code == 404

    async with state.database.write() as session:
        membership = await session.get_one(Membership, (uuid.UUID(team_id), bob.user_id))
        membership.role = TeamRole.VIEWER
    looking = await bob.post(
        "/api/keys", json={"name": "x", "scopes": ["transcribe"]}, headers={"X-Active-Team": team_id}
    )
    assert looking.status_code == 403
    async with state.database.write() as session:
        await session.delete(await session.get_one(Membership, (uuid.UUID(team_id), bob.user_id)))
    assert (await program.get(PROBE, headers=bearer(key["secret"]))).status_code == 401
    assert (await program.get(PROBE, headers=bearer(own["secret"]))).status_code == 200
    assert (await ada.delete(f"/api/keys/{key['id']}")).status_code == 204


@only_sqlite
async def test_a_deleted_account_has_no_keys(ada: Browser, program: Browser) -> None:
    key = await make(ada)
    body = {"password": PASSWORD, "confirmation": ada.user["email"]}
    assert (await ada.request("DELETE", "/api/user", json=body)).status_code == 200
    assert (await program.get(PROBE, headers=bearer(key["secret"]))).status_code == 401
    back = {"email": ada.user["email"], "password": PASSWORD, "restore": True}
    assert (await ada.post("/login", json=back)).status_code == 200
    assert (await ada.get("/api/keys")).json()["data"] == []


@only_sqlite
async def test_bad_input_gets_a_sentence(ada: Browser, database: Database) -> None:
    wrongs: list[dict[str, Any]] = [{"name": " "}, {"scopes": []}, {"scopes": ["everything"]}, {"expires_days": 0}]
    for wrong in (*wrongs, {"minutes_month": 0}):
        answer = await ada.post("/api/keys", json={"name": "Robot", "scopes": ["transcribe"], **wrong})
        assert (answer.status_code, bool(answer.json()["message"])) == (422, True)
    async with database.write() as session:
        session.add_all(
            ApiKey(
                user_id=ada.user_id,
                name=f"{number}",
                prefix="sgk_",
                secret_hash=f"{number}",
                scopes=["transcribe"],
                requests_minute=1,
            )
            for number in range(KEYS_MAX)
        )
    full = await ada.post("/api/keys", json={"name": "Robot", "scopes": ["transcribe"]})
    assert (full.status_code, full.json()["message"]) == (422, TOO_MANY)


@only_sqlite
async def test_expired_keys_are_removed_in_the_end(ada: Browser, sign_up: SignUp, state: AppState) -> None:
    await make(ada, expires_days=1)
    await make(ada)
    (rule,) = (rule for rule in RULES if rule.name == "expired API keys")
    async with state.database.write() as session:
        later = (await session.execute(select(clock.now(2 * 86_400)))).scalar_one()
    assert await rule.remove(RuleTools(state.settings, state.database, {}), later) == 1
    assert len((await ada.get("/api/keys")).json()["data"]) == 1
