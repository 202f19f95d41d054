"""Presence channels and their members, with stock pusher-js and with connections without a library."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from api.platform.realtime.relay.protocol import MAX_MEMBERS, Code
from api.testing.realtime.clients import Clients, Web
from api.testing.realtime.pusher_js import needs_pusher_js, node_client
from cluster.testing.patience import PATIENCE_S

pytestmark = needs_pusher_js

ROOM = "presence-room"


def member(web: Web, user: Any, **more: Any) -> dict[str, Any]:
    """Options of a Node client that its application's server authorizes as this user."""
    info = {"user_id": user, "user_info": {"name": f"User {user}"}}
    return {"channel": ROOM, "secret": web.settings.relay_secret, "user": info, **more}


async def test_stock_clients_see_each_other_come_and_go(web: Web) -> None:
    async with node_client(web, **member(web, "ada")) as ada:
        assert (await ada.until("members"))["count"] == 1
        async with node_client(web, **member(web, "bob")) as bob:
            told = await bob.until("members")
            assert told["all"] == {"ada": {"name": "User ada"}, "bob": {"name": "User bob"}}
            assert told["me"] == {"id": "bob", "info": {"name": "User bob"}}
            assert await ada.until("member_added") == {"id": "bob", "info": {"name": "User bob"}}
        assert (await ada.until("member_removed"))["id"] == "bob"
    async with asyncio.timeout(PATIENCE_S):
        while len(web.relay.channels) or web.relay.presence.snapshot():
            await asyncio.sleep(0.01)


async def test_a_user_with_many_connections_is_one_member(clients: Clients) -> None:
    watcher, _ = await clients.member(ROOM, "watcher")
    first, _ = await clients.member(ROOM, 5)
    assert (await watcher.receive())["data"]["user_id"] == "5"
    second, told = await clients.member(ROOM, 5)
    assert told["count"] == 2
    first.connection.transport.abort()
    assert await watcher.silent()
    await second.send("pusher:unsubscribe", channel=ROOM)
    removed = await watcher.receive()
    assert (removed["event"], removed["data"]) == ("pusher_internal:member_removed", {"user_id": "5"})


async def test_subscribing_twice_and_leaving_once_is_gone(web: Web, clients: Clients) -> None:
    client, _ = await clients.member(ROOM, "ada")
    data = json.dumps({"user_id": "ada"})
    auth = web.auth(client.socket_id, ROOM, data)
    await client.send("pusher:subscribe", channel=ROOM, auth=auth, channel_data=data)
    assert (await client.receive())["data"]["presence"]["count"] == 1
    await client.send("pusher:unsubscribe", channel=ROOM)
    assert await client.silent()
    assert web.relay.presence.members(ROOM) == {}


@pytest.mark.long
@pytest.mark.parametrize(
    "data", [None, "", "{", "[]", "{}", '{"user_id":null}', '{"user_id":true}', '{"user_id":""}', "[" * 1500]
)
async def test_a_client_without_user_data_may_not_join(web: Web, clients: Clients, data: str | None) -> None:
    client = await clients.greeted()
    auth = web.auth(client.socket_id, ROOM, data)
    await client.send("pusher:subscribe", channel=ROOM, auth=auth, channel_data=data)
    assert (await client.receive())["event"] == "pusher:subscription_error"
    assert web.relay.presence.members(ROOM) == {}


async def test_the_signature_covers_the_user(web: Web, clients: Clients) -> None:
    client = await clients.greeted()
    mine, theirs = json.dumps({"user_id": "me"}), json.dumps({"user_id": "them"})
    for auth in (web.auth(client.socket_id, ROOM, mine), web.auth(client.socket_id, ROOM)):
        await client.send("pusher:subscribe", channel=ROOM, auth=auth, channel_data=theirs)
        assert (await client.receive())["event"] == "pusher:subscription_error"
        assert (await client.receive())["data"]["code"] == Code.UNAUTHORIZED


async def test_a_full_room_takes_no_more_users_but_more_connections_of_those_in_it(web: Web, clients: Clients) -> None:
    for number in range(MAX_MEMBERS):
        web.relay.presence.join(ROOM, str(number), None)
    again, told = await clients.member(ROOM, 0)
    assert told["count"] == MAX_MEMBERS
    data = json.dumps({"user_id": "one too many"})
    late = await clients.greeted()
    await late.send("pusher:subscribe", channel=ROOM, auth=web.auth(late.socket_id, ROOM, data), channel_data=data)
    assert (await late.receive())["event"] == "pusher:subscription_error"
    assert await again.silent()
