"""Several relay processes over one real Redis, and faults of both."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from api.platform.realtime.publisher import ChannelEvent, Publisher, RelayUnavailable
from api.platform.realtime.relay import link
from api.platform.realtime.relay.link import RECENT_MAX
from api.platform.realtime.relay.protocol import Code
from api.testing.processes.redis_server import Cable, RedisServer
from api.testing.realtime.clients import Client, Clients, ServedRelay, running_relay
from cluster.testing.patience import PATIENCE_S

CHANNEL = "private-polling.mine"
ROOM = "presence-room"


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    yield server
    server.kill()


@pytest.fixture
async def pair(tmp_path: Path, redis: RedisServer) -> AsyncIterator[tuple[ServedRelay, ServedRelay]]:
    async with AsyncExitStack() as stack:
        one, two = [await stack.enter_async_context(running_relay(tmp_path, redis_url=redis.url)) for _ in range(2)]
        await know_each_other(one, two)
        yield one, two


@pytest.fixture
async def everyone() -> AsyncIterator[list[Client]]:
    opened: list[Client] = []
    yield opened
    for client in opened:
        await client.connection.close()


async def know_each_other(*relays: ServedRelay) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not all(len(each.relay.peers) == len(relays) - 1 and each.relay.peers.is_up for each in relays):
            await asyncio.sleep(0.01)


async def publish(where: ServedRelay, *numbers: int) -> None:
    async with Publisher(where.settings) as publisher:
        await publisher.publish([ChannelEvent(CHANNEL, {"n": number}) for number in numbers])


async def numbers_of(client: Client, count: int) -> list[int]:
    return [(await client.receive())["data"]["n"] for _ in range(count)]


async def test_each_event_reaches_every_process_once_and_in_order(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client]
) -> None:
    one, two = pair
    listeners = [await Clients(each, everyone).listening(CHANNEL) for each in pair for _ in range(2)]
    async with Publisher(one.settings) as at_one, Publisher(two.settings) as at_two:
        for number in range(200):
            await (at_two if number % 2 else at_one).publish([ChannelEvent(CHANNEL, {"n": number})])
    for listener in listeners:
        assert await numbers_of(listener, 200) == list(range(200))
        assert await listener.silent()


async def test_while_redis_is_unreachable_listeners_are_served_and_the_others_get_everything_later(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer
) -> None:
    one, two = pair
    near, far = [await Clients(each, everyone).listening(CHANNEL) for each in pair]
    await publish(one, 0)
    # The other process has read it: what only Redis had when it died would come later.
    assert await numbers_of(far, 1) == [0]
    redis.kill()
    await publish(one, *range(1, 21))
    assert await numbers_of(near, 21) == list(range(21))
    redis.start()
    assert await numbers_of(far, 20) == list(range(1, 21))
    await know_each_other(one, two)
    await publish(two, 21)
    assert await numbers_of(far, 1) == await numbers_of(near, 1) == [21]
    assert await near.silent()
    assert await far.silent()


@pytest.mark.long
async def test_events_in_flight_when_redis_dies_arrive_once(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer
) -> None:
    near, far = [await Clients(each, everyone).listening(CHANNEL) for each in pair]
    sending = asyncio.create_task(publish(pair[0], *range(600)))
    await numbers_of(far, 100)
    redis.kill()
    redis.start()
    await sending
    assert await numbers_of(far, 500) == list(range(100, 600))
    assert await numbers_of(near, 600) == list(range(600))
    assert await near.silent()
    assert await far.silent()


async def test_a_redis_that_hangs_delays_nobody(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer
) -> None:
    near, far = [await Clients(each, everyone).listening(CHANNEL) for each in pair]
    redis.freeze()
    try:
        await publish(pair[0], 0)
        assert await numbers_of(near, 1) == [0]
    finally:
        redis.thaw()
    assert await numbers_of(far, 1) == [0]


@pytest.mark.long
async def test_the_queue_for_redis_is_bounded_and_publishers_keep_the_rest(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "KEPT_BYTES", 2_000)
    far = await Clients(pair[1], everyone).listening(CHANNEL)
    redis.kill()
    taken, refused = 0, ""
    while not refused:
        try:
            await publish(pair[0], taken)
            taken += 1
        except RelayUnavailable as error:
            refused = str(error)
    assert "503" in refused
    assert 5 < taken < 50
    redis.start()
    assert await numbers_of(far, taken) == list(range(taken))


@pytest.fixture
async def cable(redis: RedisServer) -> AsyncIterator[Cable]:
    made = Cable(redis.port)
    await made.mend()
    yield made
    made.cut()


@pytest.fixture
async def cuttable(tmp_path: Path, redis: RedisServer, cable: Cable) -> AsyncIterator[tuple[ServedRelay, ServedRelay]]:
    """Two processes, the second of which reaches Redis through the cable."""
    way = f"redis://127.0.0.1:{cable.port}/0"
    async with running_relay(tmp_path, redis_url=redis.url) as one, running_relay(tmp_path, redis_url=way) as two:
        await know_each_other(one, two)
        yield one, two


async def test_a_process_that_was_cut_off_resumes_where_it_stopped(
    cuttable: tuple[ServedRelay, ServedRelay], everyone: list[Client], cable: Cable
) -> None:
    one, two = cuttable
    near, far = [await Clients(each, everyone).listening(CHANNEL) for each in cuttable]
    cable.cut()
    await publish(one, *range(30))
    assert await numbers_of(near, 30) == list(range(30))
    await publish(two, 30)
    assert await numbers_of(far, 1) == [30], "its own listeners it serves at once"
    await cable.mend()
    assert await numbers_of(far, 30) == list(range(30))
    assert await numbers_of(near, 1) == [30]


@pytest.mark.long
async def test_a_process_that_missed_events_makes_its_clients_fetch_the_current_state(
    cuttable: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer, cable: Cable
) -> None:
    one, _ = cuttable
    near, far = [await Clients(each, everyone).listening(CHANNEL) for each in cuttable]
    cable.cut()
    async with Publisher(one.settings) as publisher:
        for number in range(RECENT_MAX + 1):
            await publisher.publish([ChannelEvent(CHANNEL, {"n": number})])
    await numbers_of(near, RECENT_MAX + 1)
    redis.kill()
    redis.start()
    await cable.mend()
    await publish(one, RECENT_MAX + 1)
    assert await numbers_of(near, 1) == [RECENT_MAX + 1]
    assert (await far.receive())["data"]["code"] == Code.RECONNECT
    assert await far.closed_with() == Code.RECONNECT


async def test_a_member_at_two_processes_is_one(pair: tuple[ServedRelay, ServedRelay], everyone: list[Client]) -> None:
    one, two = [Clients(each, everyone) for each in pair]
    watcher, alone = await one.member(ROOM, "watcher")
    assert alone == {"count": 1, "ids": ["watcher"], "hash": {"watcher": {"name": "User watcher"}}}
    first, _ = await two.member(ROOM, 7)
    added = await watcher.receive()
    assert (added["event"], added["data"]["user_id"]) == ("pusher_internal:member_added", "7")
    second, told = await one.member(ROOM, 7)
    assert sorted(told["ids"]) == ["7", "watcher"]
    first.connection.transport.abort()
    await second.connection.close()
    removed = await watcher.receive()
    assert (removed["event"], removed["data"]) == ("pusher_internal:member_removed", {"user_id": "7"})
    assert await watcher.silent()


@pytest.mark.long
async def test_a_killed_process_leaves_no_ghosts(
    tmp_path: Path, redis: RedisServer, everyone: list[Client], unused_tcp_port: int
) -> None:
    async with running_relay(tmp_path, redis_url=redis.url) as here:
        watcher, _ = await Clients(here, everyone).member(ROOM, "watcher")
        settings = here.settings.model_copy(update={"port": unused_tcp_port})
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "api.main", "relay", "--port", str(unused_tcp_port)),
            env={**os.environ, "SAGASCRIPT_DATA_DIR": str(tmp_path), "SAGASCRIPT_REDIS_URL": redis.url},
            stdout=asyncio.subprocess.DEVNULL,
        )
        there = ServedRelay(settings, here.relay, here.server)
        try:
            await know_each_other_after_start(here)
            await Clients(there, everyone).member(ROOM, "ghost")
            assert (await watcher.receive())["data"]["user_id"] == "ghost"
        finally:
            process.send_signal(signal.SIGKILL)
            await process.wait()
        assert await watcher.receive() == {
            "event": "pusher_internal:member_removed",
            "channel": ROOM,
            "data": {"user_id": "ghost"},
        }


async def know_each_other_after_start(here: ServedRelay) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not len(here.relay.peers):
            await asyncio.sleep(0.02)


@pytest.mark.long
async def test_members_survive_an_empty_redis(
    pair: tuple[ServedRelay, ServedRelay], everyone: list[Client], redis: RedisServer
) -> None:
    one, two = [Clients(each, everyone) for each in pair]
    watcher, _ = await one.member(ROOM, "watcher")
    await two.member(ROOM, "staying")
    leaving, _ = await two.member(ROOM, "leaving")
    assert {(await watcher.receive())["data"]["user_id"] for _ in range(2)} == {"staying", "leaving"}
    redis.kill()
    await leaving.connection.close()
    await two.member(ROOM, "coming")
    redis.start()
    seen = [await watcher.receive() for _ in range(2)]
    assert {(each["event"].rpartition(":")[2], each["data"]["user_id"]) for each in seen} == {
        ("member_removed", "leaving"),
        ("member_added", "coming"),
    }
    assert set(pair[0].relay.presence.members(ROOM)) == {"watcher", "staying", "coming"}


async def test_any_process_answers_for_all(pair: tuple[ServedRelay, ServedRelay], everyone: list[Client]) -> None:
    one, two = [Clients(each, everyone) for each in pair]
    for clients in (one, two, two):
        await clients.listening(CHANNEL)
    await one.member(ROOM, "ada")
    await two.member(ROOM, "ada")
    bob, _ = await two.member(ROOM, "bob")
    for process in pair:
        counts = await process.relay.peers.counts()
        assert counts == {CHANNEL: 3, ROOM: 3}
        assert await process.relay.peers.counts(name=CHANNEL) == {CHANNEL: 3}
        assert set(process.relay.presence.members(ROOM)) == {"ada", "bob"}
    await pair[0].relay.peers.terminate("bob")
    assert await bob.closed_with() == Code.UNAUTHORIZED


async def test_the_quota_counts_all_processes(tmp_path: Path, redis: RedisServer, everyone: list[Client]) -> None:
    shared = {"redis_url": redis.url, "realtime_quota": 2}
    async with running_relay(tmp_path, **shared) as one, running_relay(tmp_path, **shared) as two:
        await know_each_other(one, two)
        for _ in range(2):
            await Clients(one, everyone).greeted()
        async with asyncio.timeout(PATIENCE_S):
            while two.relay.peers.connections_there() != 2:
                await asyncio.sleep(0.02)
        refused = await Clients(two, everyone).open()
        assert (await refused.receive())["data"]["code"] == Code.OVER_QUOTA
