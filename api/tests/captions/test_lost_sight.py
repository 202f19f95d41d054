"""Somebody who loses sight of captions is out of them at once: calls, presence, events, and what others see of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from api.content.captions.editing.announcing import announce_lines
from api.content.files.models import File
from api.people.access.event_delivery import event_delivery
from api.platform.http.state import AppState
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.realtime.messages import Topic, channel_of
from api.platform.realtime.publisher import ChannelEvent, Publisher
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.teams import join, new_team

PAGE = {"page": "2b7c4c22-6c7f-4f4e-9a48-0d1f6ad8a001", "language": "en-US"}


@dataclass(frozen=True)
class Crew:
    """Ada's team with Bob and Eve in it, and its file."""

    state: AppState
    team_id: str
    file: File
    ada: Browser
    bob: Browser
    eve: Browser

    @property
    def path(self) -> str:
        return f"/api/files/captions/{self.file.slug}"


@pytest.fixture
async def crew(state: AppState, sign_up: SignUp) -> Crew:
    ada, bob, eve = [await sign_up(name) for name in ("ada", "bob", "eve")]
    team_id = await new_team(ada)
    for guest in (bob, eve):
        await join(state, ada, team_id, guest)
    file = await captioned_file(state, ada.user_id)
    answer = await ada.post(f"/api/teams/{team_id}/files", json={"ids": [str(file.id)]})
    assert answer.json() == {"data": {"moved": 1}}
    return Crew(state, team_id, file, ada, bob, eve)


async def removed(crew: Crew) -> None:
    answer = await crew.ada.delete(f"/api/teams/{crew.team_id}/members/{crew.bob.user_id}")
    assert answer.status_code == 204


async def left(crew: Crew) -> None:
    assert (await crew.bob.post(f"/api/teams/{crew.team_id}/leave")).status_code == 204


async def team_deleted(crew: Crew) -> None:
    assert (await crew.ada.delete(f"/api/teams/{crew.team_id}")).status_code == 204


async def moved(crew: Crew) -> None:
    other = await new_team(crew.ada, "Others")
    await join(crew.state, crew.ada, other, crew.eve)
    answer = await crew.ada.post(f"/api/teams/{other}/files", json={"ids": [str(crew.file.id)]})
    assert answer.json() == {"data": {"moved": 1}}


async def binned(crew: Crew) -> None:
    assert (await crew.ada.delete(f"/api/files/{crew.file.slug}")).status_code == 204


async def account_deleted(crew: Crew) -> None:
    answer = await crew.bob.request(
        "DELETE", "/api/user", json={"password": PASSWORD, "confirmation": crew.bob.user["email"]}
    )
    assert answer.status_code == 200, answer.text


async def deliver(state: AppState) -> None:
    async with Publisher(state.settings) as publisher:
        delivery = event_delivery(publisher, state.database)
        sender = OutboxSender(state.database, [delivery])
        while await sender.send_batch(delivery):
            pass


def told(sent: list[ChannelEvent], topic: Topic) -> set[str]:
    return {each.channel for each in sent if each.data.get("queue") == topic}


@pytest.mark.parametrize(
    ("lose", "topic", "others"),
    [
        (removed, Topic.TEAM, True),
        (left, Topic.TEAM, True),
        (team_deleted, Topic.TEAM, False),
        (moved, Topic.FILE, True),
        (binned, Topic.FILE, False),
        (account_deleted, Topic.TEAM, True),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_whoever_loses_sight_of_captions_is_out_of_them_at_once(
    crew: Crew, sent: list[ChannelEvent], lose: Callable[[Crew], Awaitable[None]], topic: Topic, others: bool
) -> None:
    state, file = crew.state, crew.file
    assert (await crew.bob.post(f"{crew.path}/presence", json=PAGE)).status_code == 204
    everybody = {channel_of(who.user_id) for who in (crew.ada, crew.bob, crew.eve)}
    assert {each.channel for each in sent} == everybody
    line = (await crew.bob.get(crew.path)).json()["data"]["lines"][0]["id"]
    async with state.database.write() as session:
        # It waits in the outbox while he loses sight of the file.
        await announce_lines(session, await session.get_one(File, file.id), "en-US", 2)
    await lose(crew)
    sent.clear()
    await deliver(state)
    # His page looks, and those of the others ask who is left.
    is_gone = lose is account_deleted
    assert told(sent, topic) >= everybody - ({channel_of(crew.bob.user_id)} if is_gone else set())
    if lose not in (moved, binned):
        assert channel_of(crew.bob.user_id) not in told(sent, Topic.CAPTIONS)

    sent.clear()
    refused = 401 if is_gone else 404
    edit = {"action": "Edit", "line": line, "content": "Mine.", "issued": 1}
    assert (await crew.bob.post(f"{crew.path}/presence", json=PAGE)).status_code == refused
    assert (await crew.bob.post(crew.path, json=edit)).status_code == refused
    assert (await crew.bob.get(f"{crew.path}/newer", params={"since": 0})).status_code == refused
    assert sent == []
    answer = await crew.eve.post(f"{crew.path}/presence", json=PAGE)
    assert answer.status_code == (204 if others else 404)
    assert {each.channel for each in sent} == (everybody - {channel_of(crew.bob.user_id)} if others else set())
    if not others:
        return
    sent.clear()
    async with state.database.write() as session:
        await announce_lines(session, await session.get_one(File, file.id), "en-US", 3)
    await deliver(state)
    assert told(sent, Topic.CAPTIONS) == everybody - {channel_of(crew.bob.user_id)}
