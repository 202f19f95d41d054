"""What each role in a team may do with its files."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.http.errors import Forbidden
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file

Change = tuple[str, str, dict[str, object] | None]

CHANGES: list[Change] = [
    ("PUT", "/api/files/{slug}", {"name": "Mine now"}),
    ("POST", "/api/files/{slug}/cancel", None),
    ("POST", "/api/files/{slug}/retry", None),
    ("POST", "/api/files/captions/{slug}", {"action": "Add", "start": 0, "end": 1000, "content": "x", "issued": 0}),
    ("POST", "/api/video/export/{slug}", {"language": "en-US"}),
    ("DELETE", "/api/files/delete-multiple", {"ids": ["{id}"]}),
    ("DELETE", "/api/files/{slug}", None),
]


async def share(state: AppState, file: File, *members: tuple[Browser, TeamRole]) -> dict[str, str]:
    """Give the file to a team of these people. Returns the header that makes the team their active one."""
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
        session.add_all(Membership(team_id=team.id, user_id=who.user_id, role=role) for who, role in members)
        (await session.get_one(File, file.id)).team_id = team.id
    return {"X-Active-Team": str(team.id)}


async def call(browser: Browser, change: Change, file: File, headers: dict[str, str]) -> tuple[int, str]:
    method, path, body = change
    if body is not None and "ids" in body:
        body = {"ids": [str(file.id)]}
    answer = await browser.request(method, path.format(slug=file.slug), json=body, headers=headers)
    return answer.status_code, answer.json().get("message", "") if answer.content else ""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change[0]} {change[1]}")
async def test_a_viewer_sees_files_and_changes_none(
    ada: Browser, bob: Browser, state: AppState, change: Change
) -> None:
    file = await uploaded_file(state, ada.user_id)
    team = await share(state, file, (ada, TeamRole.OWNER), (bob, TeamRole.VIEWER))
    assert await call(bob, change, file, team) == (403, Forbidden.message)
    assert (await bob.get(f"/api/files/{file.slug}", headers=team)).json()["data"]["name"] == file.name
    async with state.database.read() as session:
        assert (await session.scalars(select(File.status))).one() == file.status
    # The role holds whichever team they act for.
    assert await call(bob, change, file, {}) == (403, Forbidden.message)


async def test_a_viewer_adds_nothing_to_the_team(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    team = await share(state, file, (ada, TeamRole.OWNER), (bob, TeamRole.VIEWER))
    assert (await bob.post("/api/files/upload/token", headers=team)).status_code == 403
    assert (await bob.post("/api/files/upload/token")).status_code == 200


@pytest.mark.parametrize("role", [TeamRole.OWNER, TeamRole.EDITOR])
async def test_an_editor_changes_and_deletes(ada: Browser, bob: Browser, state: AppState, role: TeamRole) -> None:
    file = await uploaded_file(state, ada.user_id)
    team = await share(state, file, (ada, TeamRole.OWNER), (bob, role))
    assert (await call(bob, CHANGES[0], file, team))[0] == 200
    assert (await call(bob, CHANGES[-1], file, team))[0] == 204


async def test_a_viewer_still_owns_their_own_files(ada: Browser, bob: Browser, state: AppState) -> None:
    theirs = await uploaded_file(state, bob.user_id)
    team = await share(state, theirs, (ada, TeamRole.OWNER), (bob, TeamRole.VIEWER))
    assert (await call(bob, CHANGES[0], theirs, team))[0] == 200
