"""The websocket side, message by message."""

from __future__ import annotations

import asyncio
import re

import pytest

from api.platform.realtime.relay.protocol import MAX_MESSAGE_BYTES, Code
from api.testing.realtime.clients import Clients, Web
from cluster.testing.patience import PATIENCE_S

MINE = "private-polling.mine"


async def test_greets_with_a_socket_id_and_the_activity_timeout(clients: Clients) -> None:
    message = await (await clients.open()).hello()
    assert message["event"] == "pusher:connection_established"
    assert re.fullmatch(r"\d+\.\d+", message["data"]["socket_id"])
    assert message["data"]["activity_timeout"] == 120


@pytest.mark.parametrize(
    ("key", "query", "code"),
    [
        ("not-the-key", "protocol=7", 4001),
        (None, "protocol=3", 4007),
        (None, "client=js", 4008),
    ],
)
async def test_refuses_with_the_code_of_the_reason(
    web: Web, clients: Clients, key: str | None, query: str, code: int
) -> None:
    client = await clients.open(web.socket_url(key=key, query=query))
    message = await client.receive()
    assert (message["event"], message["data"]["code"]) == ("pusher:error", code)
    assert await client.closed_with() == code


async def test_pages_of_other_sites_are_refused_and_our_own_are_not(web: Web, clients: Clients) -> None:
    for origin in ("https://elsewhere.example", "http://[::1"):
        stranger = await clients.open(origin=origin)
        assert (await stranger.receive())["data"]["code"] == Code.UNAUTHORIZED
        assert await stranger.closed_with() == Code.UNAUTHORIZED
    by_name = await clients.open(origin=f"http://localhost:{web.settings.port}")
    assert (await by_name.hello())["event"] == "pusher:connection_established"
    ours = await clients.open(origin=web.url)
    assert (await ours.hello())["event"] == "pusher:connection_established"


async def test_an_event_reaches_the_listeners_of_its_channel_only(web: Web, clients: Clients) -> None:
    mine, other = await clients.listening(MINE), await clients.listening("private-polling.other")
    assert web.relay.channels.publish(MINE, "polling.files", '{"slug":"a"}') == 1
    assert await mine.receive() == {"event": "polling.files", "channel": MINE, "data": {"slug": "a"}}
    await other.send("pusher:ping")
    assert (await other.receive())["event"] == "pusher:pong"


async def test_after_unsubscribing_nothing_arrives(web: Web, clients: Clients) -> None:
    client = await clients.listening(MINE)
    await client.send("pusher:unsubscribe", channel=MINE)
    await client.send("pusher:ping")
    assert (await client.receive())["event"] == "pusher:pong"
    assert web.relay.channels.publish(MINE, "polling.files", "{}") == 0


@pytest.mark.parametrize("forged", ["", "sagascript-key:", "sagascript-key:" + "0" * 64, None, 7, "é"])
async def test_a_private_channel_needs_its_signature(web: Web, clients: Clients, forged: object) -> None:
    client = await clients.greeted()
    await client.send("pusher:subscribe", channel=MINE, auth=forged)
    told = await client.receive()
    assert (told["event"], told["channel"]) == ("pusher:subscription_error", MINE)
    assert (await client.receive())["data"]["code"] == Code.UNAUTHORIZED
    assert web.relay.channels.publish(MINE, "polling.files", "{}") == 0


async def test_a_signature_for_another_socket_or_channel_is_refused(web: Web, clients: Clients) -> None:
    client, other = await clients.greeted(), await clients.greeted()
    for auth in (web.auth(other.socket_id, MINE), web.auth(client.socket_id, "private-polling.other")):
        await client.send("pusher:subscribe", channel=MINE, auth=auth)
        assert (await client.receive())["event"] == "pusher:subscription_error"
        assert (await client.receive())["event"] == "pusher:error"


@pytest.mark.parametrize("channel", ["private-a:b", "private-a b", "", "p" * 201, None, ["x"], "presence-room"])
async def test_channel_names_that_could_smuggle_a_signature_are_refused(clients: Clients, channel: object) -> None:
    client = await clients.greeted()
    await client.send("pusher:subscribe", channel=channel, auth="x:y")
    messages = [await client.receive()]
    if messages[0]["event"] == "pusher:subscription_error":
        messages.append(await client.receive())
    assert messages[-1]["data"]["code"] == Code.UNAUTHORIZED


async def test_clients_may_not_send_events(web: Web, clients: Clients) -> None:
    sender, listener = await clients.listening(MINE), await clients.listening(MINE)
    await sender.send("client-hello", channel=MINE)
    assert (await sender.receive())["data"]["code"] == Code.CLIENT_EVENT
    await listener.send("pusher:ping")
    assert (await listener.receive())["event"] == "pusher:pong"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"event":5}', '{"event":"pusher:nothing"}', "[" * 5000])
async def test_nonsense_gets_an_error_and_the_connection_survives(clients: Clients, text: str) -> None:
    client = await clients.greeted()
    await client.connection.send(text)
    assert (await client.receive())["data"]["code"] == Code.BAD_MESSAGE
    await client.send("pusher:ping")
    assert (await client.receive())["event"] == "pusher:pong"


async def test_a_binary_message_gets_an_error_and_the_connection_survives(clients: Clients) -> None:
    client = await clients.greeted()
    await client.connection.send(b"\x00\xff")
    assert (await client.receive())["data"]["code"] == Code.BAD_MESSAGE


async def test_an_oversize_message_ends_the_connection(clients: Clients) -> None:
    client = await clients.greeted()
    await client.send("pusher:ping", padding="x" * MAX_MESSAGE_BYTES)
    assert (await client.receive())["data"]["code"] == Code.TOO_LARGE
    assert await client.closed_with() == Code.TOO_LARGE
    huge = await clients.greeted()
    await huge.connection.send("x" * 200_000)
    assert await huge.closed_with() == 1009


async def test_a_silent_client_is_pinged_and_then_disconnected(web: Web, clients: Clients) -> None:
    web.relay.activity_timeout_s = 0.2
    answering, silent = await clients.greeted(), await clients.greeted()
    for _ in range(2):
        assert (await answering.receive())["event"] == "pusher:ping"
        await answering.send("pusher:pong")
    assert (await silent.receive())["event"] == "pusher:ping"
    web.relay.pong_timeout_s = 0.2
    assert await silent.closed_with() == Code.NO_PONG


async def test_a_client_that_does_not_read_is_cut_off_and_delays_nobody(web: Web, clients: Clients) -> None:
    good = await clients.listening(MINE)
    await clients.listening(MINE, max_queue=1, compression=None)
    data = "x" * 9000
    # Bounded by time, not by messages: a client that was cut off may delay its own closing for a while.
    async with asyncio.timeout(PATIENCE_S):
        while len(web.relay) == 2:
            web.relay.channels.publish(MINE, "polling.files", data)
            await good.receive()
    assert web.relay.channels.publish(MINE, "last", "{}") == 1
    assert (await good.receive())["event"] == "last"


async def test_an_abrupt_disconnect_leaves_nothing_behind(web: Web, clients: Clients) -> None:
    client = await clients.listening(MINE)
    client.connection.transport.abort()
    async with asyncio.timeout(PATIENCE_S):
        while len(web.relay) or len(web.relay.channels):
            await asyncio.sleep(0.01)


async def test_stopping_the_server_closes_clients_with_the_code_to_reconnect(web: Web, clients: Clients) -> None:
    client = await clients.listening(MINE)
    web.server.should_exit = True
    assert (await client.receive())["data"]["code"] == Code.RECONNECT
    assert await client.closed_with() == 4200
