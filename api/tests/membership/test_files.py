"""Files on their way between people and teams."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from api.content.arrivals.models import Upload
from api.content.belongings.ending import TABLES_OF_TEAMS, ContentBelongings
from api.content.belongings.moving import COLLEAGUES
from api.content.files.models import File
from api.content.glossary.models import GlossaryTermRow
from api.people.membership.deletion import purge_expired
from api.people.teams.models import Membership, Team
from api.people.webhooks.models import WebhookEndpoint
from api.platform.db import clock
from api.platform.http.state import AppState
from api.tables import metadata
from api.testing.browser import Browser, SignUp
from api.testing.files.uploaded_file import uploaded_file
from api.testing.newsroom import Newsroom, make_newsroom
from api.testing.teams import join, new_team

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
async def newsroom(state: AppState, sign_up: SignUp) -> Newsroom:
    ada, bob, vera, eve = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    return await make_newsroom(state, ada, bob, vera, eve)


async def move(browser: Browser, team_id: object, *files: File, out: bool = False) -> int:
    method = "DELETE" if out else "POST"
    body = {"ids": [str(file.id) for file in files]}
    return (await browser.request(method, f"/api/teams/{team_id}/files", json=body)).status_code


async def test_a_file_moves_into_a_team_and_back(newsroom: Newsroom) -> None:
    bob, state = newsroom.bob, newsroom.state
    file = await uploaded_file(state, bob.user_id)
    await bob.put(f"/api/tags/{file.slug}", json={"tags": []})
    tag = (await bob.post("/api/tags", json={"tag": "Harbour"})).json()["data"]
    assert (await bob.put(f"/api/tags/{file.slug}", json={"tags": [tag["slug"]]})).status_code == 200
    before = await newsroom.last_event()
    assert await move(bob, newsroom.team_id, file) == 200
    # Those who saw it before and those who see it now.
    assert newsroom.channels in await newsroom.heard_by(after=before)
    for member in newsroom.members:
        seen = (await member.get(f"/api/files/{file.slug}")).json()["data"]
        assert seen["team_id"] == str(newsroom.team_id)
        assert [each["name"] for each in seen["tags"]] == ["Harbour"]
    async with state.database.read() as session:
        assert (await session.scalars(select(Upload.team_id))).one() == newsroom.team_id
    assert await move(newsroom.vera, newsroom.team_id, file, out=True) == 403
    assert await move(bob, newsroom.team_id, file, out=True) == 200
    assert (await newsroom.ada.get(f"/api/files/{file.slug}")).status_code == 404
    assert (await bob.get(f"/api/files/{file.slug}")).json()["data"]["team_id"] is None
    log = (await newsroom.ada.get(f"/api/teams/{newsroom.team_id}/log")).json()["data"]
    assert [entry["by"] for entry in log] == ["Bob", "Bob"]
    assert "talk" in log[0]["sentence"]


@SQLITE
async def test_who_may_move_what(newsroom: Newsroom) -> None:
    hers = await newsroom.file_of(newsroom.ada)
    his = await newsroom.file_of(newsroom.bob)
    private = await uploaded_file(newsroom.state, newsroom.eve.user_id)
    # An editor does not take what a colleague added; an owner may.
    assert await move(newsroom.bob, newsroom.team_id, hers, out=True) == 403
    assert await move(newsroom.bob, newsroom.team_id, private) == 404
    assert await move(newsroom.eve, newsroom.team_id, private) == 404
    assert (
        await move(newsroom.vera, newsroom.team_id, await uploaded_file(newsroom.state, newsroom.vera.user_id)) == 403
    )
    # All or none.
    assert await move(newsroom.ada, newsroom.team_id, his, private, out=True) == 404
    assert (await newsroom.bob.get(f"/api/files/{his.slug}")).status_code == 200
    assert await move(newsroom.ada, newsroom.team_id, his, out=True) == 200
    assert (await newsroom.bob.get(f"/api/files/{his.slug}")).status_code == 404


@pytest.mark.long
@SQLITE
async def test_files_of_several_places_move_together(newsroom: Newsroom) -> None:
    bob = newsroom.bob
    other = await new_team(bob, "Archive")
    own, shared = await uploaded_file(newsroom.state, bob.user_id), await newsroom.file_of(bob)
    assert await move(bob, other, own, shared) == 200
    listed = (await bob.get("/api/files", params={"team": other})).json()["data"]
    assert {file["slug"] for file in listed} == {own.slug, shared.slug}
    assert (await newsroom.ada.get(f"/api/files/{shared.slug}")).status_code == 404
    third = await newsroom.file_of(bob)
    assert await move(bob, other, own, shared, third, out=True) == 200
    assert {file["team_id"] for file in (await bob.get("/api/files")).json()["data"]} == {None}
    hers = await newsroom.file_of(newsroom.ada)
    refused = await bob.post(f"/api/teams/{other}/files", json={"ids": [str(own.id), str(hers.id)]})
    assert (refused.status_code, refused.json()["message"]) == (403, COLLEAGUES)
    assert (await bob.get(f"/api/files/{own.slug}")).json()["data"]["team_id"] is None


@SQLITE
async def test_what_is_added_goes_to_the_active_team(newsroom: Newsroom) -> None:
    active = {"X-Active-Team": str(newsroom.team_id)}
    term = {"source": "pier", "target": "bryggja"}
    assert (await newsroom.bob.post("/api/glossary", json=term, headers=active)).json()["data"]["scope"] == "team"
    assert (await newsroom.bob.post("/api/tags", json={"tag": "Sea"}, headers=active)).status_code == 201
    assert [t["source"] for t in (await newsroom.ada.get("/api/glossary", headers=active)).json()["data"]] == ["pier"]
    assert (await newsroom.ada.get("/api/glossary")).json()["data"] == []
    own, shared = await uploaded_file(newsroom.state, newsroom.bob.user_id), await newsroom.file_of(newsroom.ada)
    for team, slugs in (("mine", {own.slug}), (newsroom.team_id, {shared.slug}), (None, {own.slug, shared.slug})):
        query = {} if team is None else {"team": str(team)}
        listed = (await newsroom.bob.get("/api/files", params=query)).json()["data"]
        assert {file["slug"] for file in listed} == slugs


@pytest.mark.long
async def test_a_deleted_team_is_removed_with_every_byte(
    app: FastAPI, ada: Browser, bob: Browser, state: AppState
) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    shared, own = await uploaded_file(state, bob.user_id), await uploaded_file(state, bob.user_id)
    assert await move(bob, team_id, shared) == 200
    await bob.post("/api/glossary", json={"source": "a", "target": "b"}, headers={"X-Active-Team": team_id})
    assert (await ada.delete(f"/api/teams/{team_id}")).status_code == 204
    assert (await bob.get(f"/api/files/{shared.slug}")).status_code == 404
    types = app.state.job_types
    async with state.database.read() as session:
        past, future = (await session.execute(select(clock.now(-60), clock.now(60)))).one()
    assert await purge_expired(state.database, types, ContentBelongings(), past) == 0
    assert await purge_expired(state.database, types, ContentBelongings(), future) == 1
    async with state.database.read() as session:
        assert (await session.scalars(select(File.slug))).all() == [own.slug]
        for table in (Team.id, Membership.team_id, GlossaryTermRow.id):
            assert (await session.scalars(select(table))).all() == []
    assert (await bob.get(f"/api/files/{own.slug}")).status_code == 200


def test_a_team_ends_with_everything_that_it_owns() -> None:
    """Rows that only lost their team would become its members' own."""
    lose_their_team = {
        table.name
        for table in metadata.tables.values()
        for key in table.foreign_keys
        if key.column.table.name == "teams" and key.ondelete != "CASCADE"
    }
    assert lose_their_team <= {table.__tablename__ for table in (*TABLES_OF_TEAMS, File, WebhookEndpoint)}
