"""Create, change, leave and delete teams; members and their roles."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from sqlalchemy import select, update

from api.people.audit.models import AuditEntry
from api.people.membership import service
from api.people.membership.held_team import TEAM_NOT_FOUND
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.errors import Forbidden
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.teams import invite, join, new_team

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def roles(browser: Browser, team_id: str) -> dict[str, str]:
    people = (await browser.get(f"/api/teams/{team_id}")).json()["data"]["people"]
    return {person["name"]: person["role"] for person in people}


async def actions(state: AppState) -> list[str]:
    async with state.database.read() as session:
        return list(await session.scalars(select(AuditEntry.action).order_by(AuditEntry.at)))


async def test_a_team_from_its_beginning_to_its_end(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    detail = (await ada.get(f"/api/teams/{team_id}")).json()["data"]
    assert (detail["role"], detail["payer"], detail["members"]) == ("owner", True, 1)
    assert await roles(await _joined(state, ada, team_id, bob), team_id) == {"Ada": "owner", "Bob": "editor"}
    assert [team["name"] for team in (await bob.get("/api/user")).json()["data"]["teams"]] == ["Newsroom"]

    changed = await ada.put(f"/api/teams/{team_id}", json={"name": "  Night desk ", "language": "is-IS"})
    assert (changed.json()["data"]["name"], changed.json()["data"]["language"]) == ("Night desk", "is-IS")
    # Fields that are left out stay.
    assert (await ada.put(f"/api/teams/{team_id}", json={"name": "Desk"})).json()["data"]["language"] == "is-IS"
    assert (await ada.put(f"/api/teams/{team_id}", json={"name": ""})).status_code == 422
    assert (await bob.put(f"/api/teams/{team_id}", json={"name": "Mine"})).status_code == 403
    assert (await bob.delete(f"/api/teams/{team_id}")).status_code == 403

    assert (await ada.delete(f"/api/teams/{team_id}")).status_code == 204
    for browser in (ada, bob):
        assert (await browser.get(f"/api/teams/{team_id}")).status_code == 404
        refused = await browser.get("/api/files", headers={"X-Active-Team": team_id})
        assert refused.json()["code"] == "not_your_team"
    assert (await bob.get("/api/teams")).json()["data"] == []
    deleted = (await ada.get("/api/teams")).json()["data"]
    assert [team["id"] for team in deleted] == [team_id]
    assert deleted[0]["restorable_until"] is not None
    assert (await bob.post(f"/api/teams/{team_id}/restore")).status_code == 403
    assert (await ada.post(f"/api/teams/{team_id}/restore")).json()["data"]["members"] == 2
    assert (await bob.get(f"/api/teams/{team_id}")).status_code == 200
    assert (await actions(state))[-6:] == [
        "invitation.sent",
        "member.joined",
        "team.changed",
        "team.changed",
        "team.deleted",
        "team.restored",
    ]


async def _joined(state: AppState, owner: Browser, team_id: str, guest: Browser) -> Browser:
    await join(state, owner, team_id, guest)
    return guest


@SQLITE
async def test_strangers_learn_nothing(ada: Browser, bob: Browser) -> None:
    team_id = await new_team(ada)
    calls = [
        ("GET", "", None),
        ("PUT", "", {"name": "x"}),
        ("DELETE", "", None),
        ("POST", "/restore", None),
        ("POST", "/leave", None),
        ("POST", "/payer", None),
        ("PUT", f"/members/{ada.user_id}", {"role": "viewer"}),
        ("DELETE", f"/members/{ada.user_id}", None),
        ("POST", "/invitations", {"email": "x@example.com"}),
    ]
    for method, path, body in calls:
        for each in (team_id, str(uuid.uuid4())):
            answer = await bob.request(method, f"/api/teams/{each}{path}", json=body)
            assert (answer.status_code, answer.json()["message"]) == (404, TEAM_NOT_FOUND), (method, path)


@SQLITE
async def test_editors_and_viewers_do_not_change_members(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    for answer in (
        await bob.put(f"/api/teams/{team_id}/members/{bob.user_id}", json={"role": "owner"}),
        await bob.delete(f"/api/teams/{team_id}/members/{ada.user_id}"),
        await bob.post(f"/api/teams/{team_id}/payer"),
    ):
        assert (answer.status_code, answer.json()["message"]) == (403, Forbidden.message)
    assert await roles(ada, team_id) == {"Ada": "owner", "Bob": "editor"}


@SQLITE
async def test_the_last_owner_and_the_payer_stay(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    leave = f"/api/teams/{team_id}/leave"
    alone = await ada.post(leave)
    assert (alone.status_code, alone.json()["code"]) == (422, "last_owner")
    assert "Delete the team" in alone.json()["message"]
    await join(state, ada, team_id, bob)
    last = await ada.post(leave)
    assert last.json()["message"] == service.YOU_LAST_OWNER(team="Newsroom")
    assert (await ada.put(f"/api/teams/{team_id}/members/{ada.user_id}", json={"role": "viewer"})).status_code == 422

    handed = await ada.put(f"/api/teams/{team_id}/members/{bob.user_id}", json={"role": "owner"})
    assert handed.status_code == 200
    paying = await ada.post(leave)
    assert (paying.status_code, paying.json()["code"]) == (422, "pays_for_team")
    assert (await bob.delete(f"/api/teams/{team_id}/members/{ada.user_id}")).json()["code"] == "pays_for_team"
    # Somebody takes over the payment for themselves; nobody can make others pay.
    taken = (await bob.post(f"/api/teams/{team_id}/payer")).json()["data"]
    assert [person["name"] for person in taken["people"] if person["is_payer"]] == ["Bob"]
    assert (await ada.post(leave)).status_code == 204
    assert await roles(bob, team_id) == {"Bob": "owner"}
    assert (await actions(state))[-3:] == ["member.role_changed", "team.payer_changed", "member.left"]


async def test_two_owners_who_demote_each_other_leave_one(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob, TeamRole.OWNER)
    async with state.database.write() as session:
        # Nobody pays, so that only the rule of the last owner is tried.
        await session.execute(update(Team).values(payer_id=None))
    answers = await asyncio.gather(
        ada.put(f"/api/teams/{team_id}/members/{bob.user_id}", json={"role": "viewer"}),
        bob.put(f"/api/teams/{team_id}/members/{ada.user_id}", json={"role": "viewer"}),
    )
    assert sorted(answer.status_code for answer in answers) == [200, 403]
    async with state.database.read() as session:
        found = sorted(await session.scalars(select(Membership.role)))
    assert found == ["owner", "viewer"]


@SQLITE
async def test_fields_that_are_not_ours_to_set_change_nothing(ada: Browser, bob: Browser) -> None:
    body = {"name": "Desk", "payer_id": str(bob.user_id), "is_active": False, "id": str(uuid.uuid4()), "role": "viewer"}
    made = (await ada.post("/api/teams", json=body)).json()["data"]
    assert (made["payer"], made["is_active"], made["role"]) == (True, True, "owner")
    assert made["id"] != body["id"]


@SQLITE
async def test_members_of_a_deleted_account_are_not_shown(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    async with state.database.write() as session:
        (await session.get_one(User, bob.user_id)).deleted_at = utc_now()
    assert await roles(ada, team_id) == {"Ada": "owner"}
    assert (await ada.get("/api/teams")).json()["data"][0]["members"] == 1


@SQLITE
async def test_a_demoted_owner_gives_no_roles_by_older_invitations(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob, TeamRole.OWNER)
    await invite(bob, team_id, "eve@example.com", TeamRole.OWNER)
    await invite(bob, team_id, "vera@example.com", TeamRole.VIEWER)
    await ada.put(f"/api/teams/{team_id}/members/{bob.user_id}", json={"role": "editor"})
    left = (await ada.get(f"/api/teams/{team_id}")).json()["data"]["invitations"]
    assert [invitation["email"] for invitation in left] == ["vera@example.com"]
