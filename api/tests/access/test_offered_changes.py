"""Files say what somebody may do with them, and the server then does just that. On both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from api.content.files.models import File
from api.people.auth.viewer import TEAM_HEADER
from api.people.teams.models import Membership, TeamRole
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp
from api.testing.databases.statements import counted_statements
from api.testing.files.uploaded_file import uploaded_file
from api.testing.newsroom import Newsroom, make_newsroom


async def flags(browser: Browser, file: File) -> tuple[bool, bool]:
    """`may_change` and `may_move`, which the file itself and every list of files say alike."""
    one = (await browser.get(f"/api/files/{file.slug}")).json()["data"]
    for path in ("/api/files", f"/api/files?team={one['team_id'] or 'mine'}"):
        (listed,) = [each for each in (await browser.get(path)).json()["data"] if each["slug"] == file.slug]
        assert (listed["may_change"], listed["may_move"]) == (one["may_change"], one["may_move"])
    return one["may_change"], one["may_move"]


async def give(newsroom: Newsroom, member: Browser, role: TeamRole) -> None:
    async with newsroom.state.database.write() as session:
        mine = (Membership.team_id == newsroom.team_id, Membership.user_id == member.user_id)
        await session.execute(update(Membership).where(*mine).values(role=role))


@pytest.mark.long
async def test_a_file_offers_each_role_what_the_server_lets_it_do(newsroom: Newsroom) -> None:
    ada, bob, vera = newsroom.members
    # Vera added hers while she was an editor.
    theirs = {owner: await newsroom.file_of(owner) for owner in (ada, bob, vera)}
    expected = {
        (ada, ada): (True, True),
        (ada, bob): (True, True),
        (ada, vera): (True, True),
        (bob, ada): (True, False),
        (bob, bob): (True, True),
        (bob, vera): (True, False),
        (vera, ada): (False, False),
        (vera, bob): (False, False),
        (vera, vera): (True, False),
    }
    for (member, owner), (may_change, may_move) in expected.items():
        file = theirs[owner]
        assert await flags(member, file) == (may_change, may_move)
        renamed = await member.put(f"/api/files/{file.slug}", json={"name": "Another name"})
        assert renamed.status_code == (200 if may_change else 403)
        exported = await member.post(f"/api/video/export/{file.slug}", json={"language": "en-US"})
        # The file has no captions yet: whoever may export it gets to know that.
        assert (exported.status_code == 403) is not may_change
        if not may_move:
            out = {"ids": [str(file.id)]}
            moved = await member.request("DELETE", f"/api/teams/{newsroom.team_id}/files", json=out)
            assert moved.status_code == 403
    for owner in (bob, ada):
        out = {"ids": [str(theirs[owner].id)]}
        assert (await owner.request("DELETE", f"/api/teams/{newsroom.team_id}/files", json=out)).status_code == 200
        assert await flags(owner, theirs[owner]) == (True, True)


@pytest.mark.long
async def test_a_new_role_counts_in_the_next_answer(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    for role, expected in (
        (TeamRole.VIEWER, (False, False)),
        (TeamRole.EDITOR, (True, False)),
        (TeamRole.OWNER, (True, True)),
        (TeamRole.VIEWER, (False, False)),
    ):
        await give(newsroom, newsroom.vera, role)
        assert await flags(newsroom.vera, file) == expected


@pytest.mark.long
async def test_the_file_at_hand_decides_and_not_the_team_one_acts_for(newsroom: Newsroom, state: AppState) -> None:
    """Vera views in the newsroom and edits in another team."""
    vera = newsroom.vera
    other = await make_newsroom(state, newsroom.eve, vera, newsroom.ada, newsroom.bob)
    theirs = await newsroom.file_of(newsroom.ada)
    hers, shared = await uploaded_file(state, vera.user_id), await other.file_of(vera)
    for team in ("", str(newsroom.team_id), str(other.team_id)):
        vera.headers[TEAM_HEADER] = team
        assert await flags(vera, theirs) == (False, False)
        assert await flags(vera, hers) == (True, True)
        assert await flags(vera, shared) == (True, True)


@pytest.mark.long
async def test_support_that_only_looks_gets_no_offers(sign_up: SignUp, ada: Browser, state: AppState) -> None:
    admin = await sign_up("root")
    await promote(state, admin.user_id)
    file, deleted = [await uploaded_file(state, ada.user_id) for _ in range(2)]
    assert (await ada.delete(f"/api/files/{deleted.slug}")).status_code == 204
    await ada.post("/api/tags", json={"tag": "Harbour"})

    async def offers(browser: Browser) -> list[Any]:
        (binned,) = (await browser.get("/api/files/bin")).json()["data"]
        (tag,) = (await browser.get("/api/tags")).json()["data"]
        return [*await flags(browser, file), binned["may_change"], binned["may_purge"], tag["may_change"]]

    assert await offers(ada) == [True, True, True, True, True]
    begun = await admin.post("/api/browse-as", json={"id": str(ada.user_id), "reason": "Ticket 4711: looks empty"})
    assert begun.status_code == 200
    for may_change in (False, True, False):
        allowed = await admin.post("/api/browse-as/changes", json={"may_change": may_change})
        assert allowed.status_code == 200
        # Nobody deletes for good in somebody else's account.
        assert await offers(admin) == [may_change, may_change, may_change, False, may_change]
        renamed = await admin.put(f"/api/files/{file.slug}", json={"name": "Another name"})
        assert renamed.status_code == (200 if may_change else 403)
    assert await offers(ada) == [True, True, True, True, True]


@pytest.mark.long
async def test_lists_take_no_more_statements_for_more_files(newsroom: Newsroom) -> None:
    taken: dict[str, list[int]] = {}
    for number in (2, 8):
        files = [await newsroom.file_of(newsroom.ada) for _ in range(number)]
        await newsroom.ada.request("DELETE", "/api/files/delete-multiple", json={"ids": [str(files[0].id)]})
        for member, path in (
            (newsroom.vera, "/api/files"),
            (newsroom.vera, "/api/files/videos"),
            (newsroom.ada, "/api/files/bin"),
        ):
            with counted_statements(newsroom.state) as statements:
                assert (await member.get(path)).status_code == 200
            taken.setdefault(path, []).append(len(statements))
    assert all(0 < more <= few for few, more in taken.values()), taken
