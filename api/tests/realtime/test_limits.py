"""The limits of a relay: a real client gets each refusal with its code."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.platform.realtime.publisher import ChannelEvent, Publisher, RelayUnavailable
from api.platform.realtime.relay.protocol import MAX_CHANNELS, Code
from api.testing.realtime.clients import Client, Clients, ServedRelay, running_relay
from api.testing.realtime.pusher_js import needs_pusher_js, node_client
from cluster.testing.patience import PATIENCE_S

pytestmark = needs_pusher_js

MINE = "private-polling.mine"
ROOM = "private-room"


async def refused_with(served: ServedRelay, opened: list[Client], **options: Any) -> int:
    client = await Clients(served, opened).open(**options)
    message = await client.receive()
    assert message["event"] == "pusher:error"
    assert await client.closed_with() == message["data"]["code"]
    return int(message["data"]["code"])


async def test_connections_over_the_quota_of_the_application_are_refused(tmp_path: Path) -> None:
    opened: list[Client] = []
    async with running_relay(tmp_path, realtime_quota=2) as relay:
        first, _ = [await Clients(relay, opened).greeted() for _ in range(2)]
        assert await refused_with(relay, opened) == 4004
        async with node_client(relay) as stock:
            assert (await stock.until("error"))["code"] == 4004
            await stock.until("state", "disconnected")
        await first.connection.close()
        async with asyncio.timeout(PATIENCE_S):
            while len(relay.relay) == 2:
                await asyncio.sleep(0.01)
        await Clients(relay, opened).greeted()


async def test_connections_over_the_capacity_of_the_process_are_refused(tmp_path: Path) -> None:
    opened: list[Client] = []
    async with running_relay(tmp_path, realtime_capacity=1) as relay:
        only = await Clients(relay, opened).greeted()
        assert await refused_with(relay, opened) == 4100
        async with node_client(relay) as stock:
            assert (await stock.until("error"))["code"] == 4100
            await only.connection.close()
            # 4100-4199: reconnect after a while.
            await stock.until("state", "connected")


async def test_too_many_connections_from_one_address_are_refused(tmp_path: Path) -> None:
    opened: list[Client] = []
    async with running_relay(tmp_path, realtime_per_address=1) as relay:
        await Clients(relay, opened).greeted()
        assert await refused_with(relay, opened) == Code.OVER_CAPACITY
        # A proxy on this machine forwards another client.
        await Clients(relay, opened).greeted(additional_headers={"X-Forwarded-For": "10.0.0.1, 203.0.113.5"})
        forwarded = {"X-Forwarded-For": "203.0.113.5"}
        assert await refused_with(relay, opened, additional_headers=forwarded) == Code.OVER_CAPACITY


async def test_a_client_that_joins_no_private_channel_in_time_is_closed(tmp_path: Path) -> None:
    opened: list[Client] = []
    async with running_relay(tmp_path, realtime_authorize_within_s=0.2) as relay:
        relay.relay.pong_timeout_s = 0.4
        joined = await Clients(relay, opened).listening(MINE)
        idler = await Clients(relay, opened).greeted()
        assert (await idler.receive())["data"]["code"] == 4009
        assert await idler.closed_with() == 4009
        assert await joined.silent()


async def test_client_events_reach_the_others_when_they_are_on_and_not_too_many(tmp_path: Path) -> None:
    async with running_relay(tmp_path, realtime_client_events=True) as relay:
        known: dict[str, Any] = {"channel": ROOM, "secret": relay.settings.relay_secret}
        async with node_client(relay, **known) as listener:
            await listener.until("subscribed")
            async with node_client(relay, **known, clientEvents=15) as sender:
                assert (await sender.until("error"))["code"] == 4301
            assert [(await listener.until("client-hello"))["n"] for _ in range(10)] == list(range(10))
        opened: list[Client] = []
        stranger = await Clients(relay, opened).greeted()
        await stranger.connection.send(json.dumps({"event": "client-hello", "channel": ROOM, "data": {}}))
        assert (await stranger.receive())["data"]["code"] == Code.CLIENT_EVENT


async def test_a_flood_of_messages_ends_the_connection(web: ServedRelay, clients: Clients) -> None:
    client = await clients.greeted()
    for _ in range(400):
        await client.send("pusher:ping")
    code = 0
    while not code:
        message = await client.receive()
        code = message["data"].get("code", 0) if message["event"] == "pusher:error" else 0
    assert code == Code.OVER_CAPACITY
    assert await client.closed_with() == Code.OVER_CAPACITY


async def test_one_connection_joins_a_bounded_number_of_channels(web: ServedRelay, clients: Clients) -> None:
    client = await clients.greeted()
    for number in range(MAX_CHANNELS):
        await client.send("pusher:subscribe", channel=f"news-{number}")
        assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"
    await client.send("pusher:subscribe", channel="news-more")
    assert (await client.receive())["event"] == "pusher:subscription_error"


async def test_too_many_calls_per_second_are_refused(tmp_path: Path) -> None:
    async with running_relay(tmp_path, realtime_calls_per_s=5) as relay, Publisher(relay.settings) as publisher:
        with pytest.raises(RelayUnavailable, match="429"):
            await asyncio.gather(*(publisher.publish([ChannelEvent(MINE, {})]) for _ in range(20)))
        # Strangers do not use up any of it.
        await asyncio.sleep(0.5)
        async with httpx2.AsyncClient(base_url=relay.url, trust_env=False, timeout=PATIENCE_S) as stranger:
            for _ in range(10):
                assert (await stranger.post(f"/apps/{relay.settings.realtime_app_id}/events")).status_code == 401
        await publisher.publish([ChannelEvent(MINE, {})])


async def test_a_stopped_relay_sends_its_clients_to_another(tmp_path: Path) -> None:
    """The accepted events arrive first, then the code for reconnecting at once."""
    opened: list[Client] = []
    async with running_relay(tmp_path) as relay:
        client = await Clients(relay, opened).listening(MINE)
        async with Publisher(relay.settings) as publisher:
            await publisher.publish([ChannelEvent(MINE, {"n": number}) for number in range(20)])
        relay.server.should_exit = True
        assert [(await client.receive())["data"]["n"] for _ in range(20)] == list(range(20))
        assert (await client.receive())["data"]["code"] == 4200
        assert await client.closed_with() == 4200
