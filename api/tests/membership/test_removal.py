"""Removing somebody takes effect at once: calls, files, uploads in progress, and events that wait already."""

from __future__ import annotations

import asyncio
import uuid

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.content.arrivals.models import Upload, UploadStatus, UploadToken
from api.content.belongings.ending import ContentBelongings
from api.content.files.models import File
from api.people.access.audience import audience_of_team
from api.people.access.event_delivery import event_delivery
from api.people.auth.viewer import Viewer
from api.people.membership import service
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.http.state import AppState
from api.platform.jobs.outbox import add_event
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic, channel_of
from api.platform.realtime.notices import Notice
from api.platform.realtime.publisher import Publisher
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from api.testing.mailbox import Mailbox
from api.testing.realtime.clients import Clients, Web
from api.testing.teams import join, new_team
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.sending import TUS

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
NEW = {**TUS, "Upload-Length": "8"}


async def shared_file(state: AppState, owner: Browser, team_id: str) -> File:
    file = await uploaded_file(state, owner.user_id)
    answer = await owner.post(f"/api/teams/{team_id}/files", json={"ids": [str(file.id)]})
    assert answer.json() == {"data": {"moved": 1}}
    return file


async def remove(ada: Browser, team_id: str, who: Browser) -> None:
    assert (await ada.delete(f"/api/teams/{team_id}/members/{who.user_id}")).status_code == 204


async def test_the_next_call_is_refused_and_files_are_gone(ada: Browser, bob: Browser, state: AppState) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    theirs, own = await shared_file(state, ada, team_id), await shared_file(state, bob, team_id)
    pages = [f"/api/files/{file.slug}{path}" for file in (theirs, own) for path in ("", "/original", "/jobs")]
    assert [(await bob.get(page)).status_code for page in pages] == [200] * 6
    await remove(ada, team_id, bob)
    refused = await bob.get("/api/files", headers={"X-Active-Team": team_id})
    assert (refused.status_code, refused.json()["code"]) == (422, "not_your_team")
    # What they uploaded is the team's, too.
    assert [(await bob.get(page)).status_code for page in pages] == [404] * 6
    assert (await bob.get("/api/files")).json()["meta"]["total"] == 0
    assert (await ada.get("/api/files")).json()["meta"]["total"] == 2
    assert (await bob.put(f"/api/files/{own.slug}", json={"name": "Mine"})).status_code == 404


@pytest.mark.long
@SQLITE
@pytest.mark.parametrize("how", ["removed", "made a viewer"])
async def test_an_upload_into_the_team_stops(
    app: FastAPI, ada: Browser, bob: Browser, state: AppState, how: str
) -> None:
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    active = {"X-Active-Team": team_id}
    token = (await bob.post("/api/files/upload/token", headers=active)).json()["token"]
    unused = (await bob.post("/api/files/upload/token", headers=active)).json()["token"]
    own = (await bob.post("/api/files/upload/token")).json()["token"]
    location = (await bob.post("/tus/", headers=NEW | {"Authorization": f"Bearer {token}"})).headers["Location"]
    # Bob's cookies are not sent here, as where the upload server has a host of its own.
    async with Browser.open(app) as elsewhere:
        sending = TUS | patch_headers(0) | {"Authorization": f"Bearer {token}"}
        assert (await elsewhere.patch(location, headers=sending, content=b"four")).status_code == 204
        if how == "removed":
            await remove(ada, team_id, bob)
        else:
            await ada.put(f"/api/teams/{team_id}/members/{bob.user_id}", json={"role": "viewer"})
        # Neither its own token, nor another one of the same person, nor the person's cookies continue it.
        for each in (token, own):
            sending = TUS | patch_headers(4) | {"Authorization": f"Bearer {each}"}
            assert (await elsewhere.patch(location, headers=sending, content=b"more")).status_code in (401, 404, 410)
        created = await elsewhere.post("/tus/", headers=NEW | {"Authorization": f"Bearer {unused}"})
        assert created.status_code == 401
    assert (await bob.patch(location, headers=TUS | patch_headers(4), content=b"more")).status_code in (401, 404, 410)
    async with state.database.read() as session:
        assert (await session.scalars(select(Upload.status))).all() == [UploadStatus.CANCELLED]
        assert (await session.scalars(select(File.id))).all() == []
        tokens = (await session.scalars(select(UploadToken.team_id))).all()
    assert tokens == [None]
    # What they upload for themselves goes on.
    made = await bob.post("/tus/", headers=NEW | {"Authorization": f"Bearer {own}"})
    assert made.status_code == 201


async def test_removal_while_the_last_bytes_arrive_leaves_no_file_of_theirs_alone(
    ada: Browser, bob: Browser, state: AppState
) -> None:
    """Either the upload came first, and the file is the team's, or the removal did, and there is no file."""
    team_id = await new_team(ada)
    await join(state, ada, team_id, bob)
    token = (await bob.post("/api/files/upload/token", headers={"X-Active-Team": team_id})).json()["token"]
    sending = {"Authorization": f"Bearer {token}"}
    location = (await bob.post("/tus/", headers=NEW | sending)).headers["Location"]
    await asyncio.gather(
        bob.patch(location, headers=TUS | patch_headers(0) | sending, content=b"all here"),
        remove(ada, team_id, bob),
    )
    async with state.database.read() as session:
        files = (await session.scalars(select(File.team_id))).all()
        status = (await session.scalars(select(Upload.status))).one()
    assert (files, status) in (
        ([uuid.UUID(team_id)], UploadStatus.WAITING),
        ([], UploadStatus.CANCELLED),
    )
    assert (await bob.get("/api/files")).json()["meta"]["total"] == 0


async def test_events_that_wait_already_do_not_reach_them(web: Web, clients: Clients) -> None:
    ada, bob = [User(name=name, email=f"{name}@example.com", password_hash="-") for name in ("ada", "bob")]
    team = Team(name="Newsroom")
    async with web.state.database.write() as session:
        session.add_all([ada, bob, team])
        await session.flush()
        roles = ((ada, TeamRole.OWNER), (bob, TeamRole.EDITOR))
        session.add_all(Membership(team_id=team.id, user_id=who.id, role=role) for who, role in roles)
    hers, his = [await clients.listening(channel_of(who.id)) for who in (ada, bob)]

    async def work(slug: str) -> None:
        async with web.state.database.write() as session:
            message = event(Topic.UPLOAD, Action.STARTED, slug=slug, name="talk")
            add_event(session, Notice(await audience_of_team(session, team.id), message))

    async def send() -> None:
        async with Publisher(web.settings) as publisher:
            delivery = event_delivery(publisher, web.state.database)
            await OutboxSender(web.state.database, [delivery]).send_batch(delivery)

    await work("first")
    await send()
    for client in (hers, his):
        assert (await client.receive())["data"]["slug"] == "first"
    await work("second")
    viewer = Viewer(user_id=ada.id, is_admin=False, team_id=None, teams={team.id: TeamRole.OWNER}, is_changing=True)
    async with web.state.database.write() as session:
        await service.remove_member(session, ContentBelongings(), viewer, team.id, bob.id)
    await send()
    assert [(await hers.receive())["data"]["queue"] for _ in range(2)] == ["Upload", "Team"]
    # Bob gets only the news that makes his page forget the team.
    assert (await his.receive())["data"]["queue"] == "Team"
    assert await his.silent()


@pytest.mark.long
@SQLITE
async def test_whoever_loses_a_team_gets_a_mail(ada: Browser, bob: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == bob.user_id).values(locale="is"))
    team_id, mailbox = await new_team(ada), Mailbox(state)
    await join(state, ada, team_id, bob)
    await remove(ada, team_id, bob)
    letter = await mailbox.newest("bob@example.com")
    assert letter.subject.startswith("Þú ert ekki lengur í teyminu ")
    await join(state, ada, team_id, bob)
    count = len(await mailbox.letters("bob@example.com"))
    assert (await ada.delete(f"/api/teams/{team_id}")).status_code == 204
    letters = await mailbox.letters("bob@example.com")
    assert len(letters) == count + 1
    assert letters[-1].subject.endswith("var eytt")
    # Who does it themselves knows.
    other = await new_team(ada)
    await join(state, ada, other, bob)
    count = len(await mailbox.letters("bob@example.com"))
    await remove(bob, other, bob)
    assert len(await mailbox.letters("bob@example.com")) == count
    assert not any("team" in each.subject for each in await mailbox.letters("ada@example.com"))
