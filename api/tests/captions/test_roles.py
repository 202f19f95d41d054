"""What people with different roles get to know of captions that they see, and what happens to their changes."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import delete, update

from api.content.captions.errors import OTHER_LANGUAGE, NoSuchTrack
from api.content.files.models import File
from api.people.access.rules import offers_change
from api.people.auth.viewer import Viewer
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file


@pytest.fixture
async def team_id(state: AppState, ada: Browser, bob: Browser) -> uuid.UUID:
    async with state.database.write() as session:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
        session.add(Membership(team_id=team.id, user_id=bob.user_id, role=TeamRole.VIEWER))
        return team.id


@pytest.fixture
async def path(state: AppState, ada: Browser, team_id: uuid.UUID) -> str:
    file = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).team_id = team_id
    return f"/api/files/captions/{file.slug}"


async def captions(browser: Browser, path: str) -> dict[str, Any]:
    data: dict[str, Any] = (await browser.get(path)).json()["data"]
    return data


async def give(state: AppState, team_id: uuid.UUID, browser: Browser, role: TeamRole | None) -> None:
    mine = (Membership.team_id == team_id, Membership.user_id == browser.user_id)
    async with state.database.write() as session:
        if role is None:
            await session.execute(delete(Membership).where(*mine))
        else:
            await session.execute(update(Membership).where(*mine).values(role=role))


async def test_a_viewer_learns_that_they_may_only_look_and_a_new_role_counts_at_once(
    state: AppState, ada: Browser, bob: Browser, team_id: uuid.UUID, path: str
) -> None:
    line = (await captions(ada, path))["lines"][0]["id"]
    edit = {"action": "Edit", "line": line, "content": "Mine.", "issued": 1}
    for role, may_change in ((TeamRole.VIEWER, False), (TeamRole.EDITOR, True), (TeamRole.VIEWER, False)):
        await give(state, team_id, bob, role)
        seen = await captions(bob, path)
        newer = (await bob.get(f"{path}/newer", params={"since": seen["revision"]})).json()["data"]
        assert (seen["may_change"], newer["may_change"]) == (may_change, may_change)
        saved = await bob.post(path, json=edit | {"issued": seen["revision"]})
        assert saved.status_code == (200 if may_change else 403)
        # Looking, searching and taking along stay.
        assert (await bob.get(f"{path}/download")).status_code == 200
        assert (await bob.get(f"{path}/notes")).status_code == 200
    assert (await captions(ada, path))["may_change"] is True
    await give(state, team_id, bob, None)
    assert (await bob.get(path)).status_code == 404
    assert (await bob.post(path, json=edit)).status_code == 404


async def test_an_administrator_who_only_looks_into_an_account_is_offered_no_changes(
    state: AppState, ada: Browser
) -> None:
    file = await captioned_file(state, ada.user_id)
    support = Viewer(ada.user_id, is_admin=False, team_id=None, admin_id=uuid.uuid4(), may_change=False)
    assert not offers_change(support, file)
    assert offers_change(Viewer(ada.user_id, is_admin=False, team_id=None), file)


async def test_a_change_in_a_language_that_is_gone_is_told_apart_from_one_that_is_wrong(
    state: AppState, ada: Browser
) -> None:
    path = f"/api/files/captions/{(await captioned_file(state, ada.user_id)).slug}"
    line = (await captions(ada, path))["lines"][0]["id"]
    body = {"action": "Edit", "line": line, "content": "Mía.", "issued": 1, "language": "es-ES"}
    answer = await ada.post(path, json=body)
    assert (answer.status_code, answer.json()["message"]) == (422, OTHER_LANGUAGE)
    assert answer.json()["code"] == NoSuchTrack.code
