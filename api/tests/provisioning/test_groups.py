"""Groups that a provider keeps: the teams and rights that they give, and take."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select, update

from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import Browser
from api.tests.provisioning.conftest import CORE, Directory

TEAM = uuid.UUID("6f1c2a34-0000-4000-8000-000000000001")


@pytest.fixture
def entry() -> dict[str, Any]:
    return {
        "domains": ["example.com"],
        "admin_groups": ["Admins"],
        "team_groups": [
            {"group": "Film", "team_id": str(TEAM), "role": "editor"},
            {"group": "Guests", "team_id": str(TEAM), "role": "viewer"},
        ],
    }


@pytest.fixture
async def team(state: AppState, bob: Browser) -> Team:
    """Bob's, who came by invitation."""
    async with state.database.write() as session:
        made = Team(id=TEAM, name="Film crew")
        session.add(made)
        await session.flush()
        session.add(Membership(team_id=TEAM, user_id=bob.user_id, role=TeamRole.OWNER))
    return made


async def roles(state: AppState) -> dict[str, str]:
    statement = select(User.email, Membership.role).join(Membership, Membership.user_id == User.id)
    async with state.database.read() as session:
        return {email.partition("@")[0]: str(role) for email, role in (await session.execute(statement)).tuples()}


async def test_members_of_a_group_are_in_its_team(directory: Directory, team: Team, state: AppState) -> None:
    rita, sam = [(await directory.add(f"{name}@example.com"))["id"] for name in ("rita", "sam")]
    film = await directory.group("Film", rita)
    assert await roles(state) == {"bob": "owner", "rita": "editor"}
    path = f"Groups/{film['id']}"
    await directory.patch(path, {"op": "Add", "path": "members", "value": [{"value": sam}]})
    assert await roles(state) == {"bob": "owner", "rita": "editor", "sam": "editor"}
    # Both ways in which providers take somebody out.
    await directory.patch(path, {"op": "Remove", "path": "members", "value": [{"value": rita}]})
    await directory.patch(path, {"op": "remove", "path": f'members[value eq "{sam}"]'})
    assert await roles(state) == {"bob": "owner"}
    # The highest role of somebody's groups counts, and a group that is gone or renamed gives nothing.
    guests = await directory.group("Guests", rita)
    assert (await roles(state))["rita"] == "viewer"
    await directory.patch(path, {"op": "add", "path": "members", "value": [{"value": rita}]})
    assert (await roles(state))["rita"] == "editor"
    await directory.patch(path, {"op": "replace", "value": {"displayName": "Films of last year"}})
    assert (await roles(state))["rita"] == "viewer"
    await directory.call("DELETE", f"Groups/{guests['id']}", status=204)
    assert await roles(state) == {"bob": "owner"}


async def test_a_group_makes_administrators_and_unmakes_them(
    directory: Directory, ada: Browser, state: AppState
) -> None:
    await promote(state, ada.user_id)
    rita = (await directory.add("rita@example.com"))["id"]

    async def is_admin() -> bool:
        async with state.database.read() as session:
            return bool(await session.scalar(select(User.is_admin).where(User.email == "rita@example.com")))

    admins = await directory.group("Admins", rita)
    assert await is_admin()
    body = {"schemas": [f"{CORE}:Group"], "displayName": "Admins", "members": []}
    await directory.call("PUT", f"Groups/{admins['id']}", body)
    assert not await is_admin()


async def test_what_is_no_group_is_refused(directory: Directory) -> None:
    schemas = [f"{CORE}:Group"]
    bodies: list[dict[str, Any]] = [{}, {"displayName": ""}, {"displayName": "x" * 400}]
    for body in bodies:
        refused = await directory.call("POST", "Groups", {"schemas": schemas, **body}, status=400)
        assert refused["scimType"] == "invalidValue"
    for member in (str(uuid.uuid4()), "nobody"):
        body = {"schemas": schemas, "displayName": "Film", "members": [{"value": member}]}
        assert "Add people before" in (await directory.call("POST", "Groups", body, status=400))["detail"]
    assert (await directory.call("GET", "Groups"))["totalResults"] == 0


async def test_groups_are_found_by_name_without_their_members(directory: Directory, state: AppState) -> None:
    rita = (await directory.add("rita@example.com"))["id"]
    film = await directory.group("Film", rita)
    await directory.group("Guests")
    found = await directory.call("GET", 'Groups?filter=displayName%20eq%20"film"&excludedAttributes=members')
    assert [each["id"] for each in found["Resources"]] == [film["id"]]
    assert "members" not in found["Resources"][0]
    by_member = await directory.call("GET", f'Groups?filter=members%5Bvalue%20eq%20"{rita}"%5D')
    assert [each["id"] for each in by_member["Resources"]] == [film["id"]]
    # Who is removed leaves the group too.
    await directory.call("DELETE", f"Users/{rita}", status=204)
    assert (await directory.call("GET", f"Groups/{film['id']}")).get("members", []) == []
    async with state.database.write() as session:
        await session.execute(update(User).values(suspended_at=None))
