"""Publishing: the stock server library, our own publisher, and calls that must be refused."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pusher
import pytest

from api.platform.realtime.messages import Action, PollingMessage, Topic, channel_of
from api.platform.realtime.publisher import Publisher, RelayRefused, RelayUnavailable, event_for
from api.platform.realtime.relay.protocol import Code
from api.platform.realtime.signing import body_md5, sign_call
from api.platform.settings import ApiSettings
from api.testing.realtime.clients import Clients, Web
from api.testing.realtime.pusher_js import node_client
from cluster.testing.patience import PATIENCE_S

CHANNEL = "private-polling.x"
ROOM = "presence-room"
NPM_LIBRARY = Path(__file__).parents[3] / "ui" / "node_modules" / "pusher"


def stock_library(web: Web) -> pusher.Pusher:
    settings = web.settings
    return pusher.Pusher(
        app_id=settings.realtime_app_id,
        key=settings.realtime_key,
        secret=settings.relay_secret,
        host="127.0.0.1",
        port=settings.port,
        ssl=False,
    )


async def test_the_stock_library_triggers_events(web: Web, clients: Clients) -> None:
    first, second = await clients.listening(CHANNEL), await clients.listening(CHANNEL)
    library = stock_library(web)
    await asyncio.to_thread(library.trigger, CHANNEL, "polling.files", {"slug": "þ"}, first.socket_id)
    await asyncio.to_thread(
        library.trigger_batch,
        [{"channel": CHANNEL, "name": f"event-{number}", "data": {"n": number}} for number in range(3)],
    )
    assert [(await second.receive())["event"] for _ in range(4)] == ["polling.files", "event-0", "event-1", "event-2"]
    assert (await first.receive())["event"] == "event-0", "the excluded socket got the first event too"


async def test_the_stock_library_and_ours_sign_a_channel_alike(web: Web) -> None:
    assert stock_library(web).authenticate(CHANNEL, "1.2")["auth"] == web.auth("1.2", CHANNEL)


async def test_the_publisher_keeps_the_order_over_several_batches(web: Web, clients: Clients) -> None:
    user = uuid.uuid4()
    client = await clients.listening(channel_of(user))
    messages = [
        PollingMessage(queue=Topic.UPLOAD, action=Action.PROGRESS, slug="s", name="talk", progress=percent)
        for percent in range(25)
    ]
    async with Publisher(web.settings) as publisher:
        await publisher.publish([event_for(user, message) for message in messages])
    got = [await client.receive() for _ in messages]
    assert [message["data"]["progress"] for message in got] == list(range(25))
    data = {"queue": "Upload", "action": "Progress", "slug": "s", "name": "talk", "child": None, "progress": 0}
    assert got[0]["data"] == data


async def test_the_publisher_distinguishes_unavailable_from_refused(web: Web, unused_tcp_port: int) -> None:
    event = event_for(uuid.uuid4(), PollingMessage(queue=Topic.TUS, action=Action.COMPLETED, slug="s", name="talk"))
    away = ApiSettings(realtime_url=f"http://127.0.0.1:{unused_tcp_port}", realtime_secret="s")
    async with Publisher(away) as publisher:
        with pytest.raises(RelayUnavailable):
            await publisher.publish([event])
    stranger = ApiSettings(realtime_url=web.url, realtime_secret="another secret")
    async with Publisher(stranger) as publisher:
        with pytest.raises(RelayRefused):
            await publisher.publish([event])


class Npm:
    """The stock server library of npm, with its methods by name."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def __call__(self, method: str, *arguments: Any) -> dict[str, Any]:
        """The `status` and `body` of the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([method, *arguments]).encode() + b"\n")
        line = await asyncio.wait_for(self._process.stdout.readline(), PATIENCE_S)
        told: dict[str, Any] = json.loads(line)
        return told


@pytest.fixture
async def npm(web: Web) -> AsyncIterator[Npm]:
    node = shutil.which("node")
    if node is None or not NPM_LIBRARY.is_dir():
        pytest.skip("Node or the package pusher is not installed: run `npm ci` in ui.")
    told = {
        "library": str(NPM_LIBRARY),
        "appId": web.settings.realtime_app_id,
        "key": web.settings.realtime_key,
        "secret": web.settings.relay_secret,
        "host": "127.0.0.1",
        "port": web.settings.port,
    }
    process = await asyncio.create_subprocess_exec(
        node,
        str(Path(__file__).with_name("pusher_server.cjs")),
        json.dumps(told),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    yield Npm(process)
    process.kill()
    await process.wait()


async def test_the_npm_library_publishes(npm: Npm, clients: Clients) -> None:
    first, second = await clients.listening(CHANNEL), await clients.listening(CHANNEL)
    assert (await npm("trigger", CHANNEL, "a", {"slug": "þ"}, {"socket_id": first.socket_id}))["status"] == 200
    batch = [{"channel": CHANNEL, "name": "b", "data": {"n": number}} for number in range(3)]
    assert (await npm("triggerBatch", batch))["status"] == 200
    counted = await npm("trigger", CHANNEL, "c", {}, {"info": "subscription_count"})
    assert counted["body"] == {"channels": {CHANNEL: {"subscription_count": 2}}}
    assert [(await second.receive())["event"] for _ in range(5)] == ["a", "b", "b", "b", "c"]
    assert (await first.receive())["event"] == "b"


async def test_the_npm_library_queries_members(npm: Npm, clients: Clients) -> None:
    await clients.listening(CHANNEL)
    for user in ("ada", "ada", "bob"):
        await clients.member(ROOM, user)
    assert (await npm("get", {"path": "/channels"}))["body"] == {"channels": {CHANNEL: {}, ROOM: {}}}
    params = {"filter_by_prefix": "presence-", "info": "user_count,subscription_count"}
    told = await npm("get", {"path": "/channels", "params": params})
    assert told["body"] == {"channels": {ROOM: {"user_count": 2, "subscription_count": 3}}}
    assert (await npm("get", {"path": f"/channels/{ROOM}/users"}))["body"] == {"users": [{"id": "ada"}, {"id": "bob"}]}
    assert (await npm("get", {"path": f"/channels/{CHANNEL}/users"}))["status"] == 400
    assert (await npm("get", {"path": "/channels", "params": {"info": "user_count"}}))["status"] == 400
    assert (await npm("get", {"path": "/channels/private-nobody"}))["body"] == {"occupied": False}


@pytest.mark.long
@pytest.mark.parametrize("library", ["npm", "python"])
async def test_all_connections_of_a_user_are_ended(web: Web, npm: Npm, clients: Clients, library: str) -> None:
    member, _ = await clients.member(ROOM, "ada")
    other, _ = await clients.member(ROOM, "bob")
    await member.receive()
    secret = web.settings.relay_secret
    async with node_client(web, secret=secret, user={"user_id": "ada"}, signIn=True) as stock:
        await stock.until("signed_in")
        if library == "npm":
            assert (await npm("terminateUserConnections", "ada"))["status"] == 200
        else:
            await asyncio.to_thread(stock_library(web).terminate_user_connections, "ada")
        assert (await stock.until("error"))["code"] == Code.UNAUTHORIZED
        await stock.until("state", "disconnected")
    assert await member.closed_with() == Code.UNAUTHORIZED
    assert (await other.receive())["event"] == "pusher_internal:member_removed"
    assert await other.silent()


@pytest.mark.long
@pytest.mark.parametrize("library", ["npm", "python"])
async def test_an_event_to_a_user_reaches_each_of_their_connections_and_nobody_else(
    web: Web, npm: Npm, clients: Clients, library: str
) -> None:
    secret = web.settings.relay_secret
    eve = await clients.greeted()
    await eve.send("pusher:subscribe", channel="#server-to-user-ada")
    assert (await eve.receive())["event"] == "pusher:subscription_error"
    assert (await eve.receive())["event"] == "pusher:error"
    ada: dict[str, Any] = {"secret": secret, "user": {"user_id": "ada"}, "signIn": True}
    async with node_client(web, **ada) as first, node_client(web, **ada) as second:
        for client in (first, second):
            await client.until("user_channel")
        if library == "npm":
            assert (await npm("sendToUser", "ada", "news", {"n": 1}))["status"] == 200
        else:
            await asyncio.to_thread(stock_library(web).send_to_user, "ada", "news", {"n": 1})
        for client in (first, second):
            assert await client.until("news") == {"n": 1}
        assert (await npm("get", {"path": "/channels"}))["body"] == {"channels": {}}
    assert await eve.silent()


async def test_a_private_channel_may_be_signed_with_its_channel_data(web: Web, clients: Clients) -> None:
    client = await clients.greeted()
    data = '{"user_id":"ada"}'
    auth = web.auth(client.socket_id, CHANNEL, data)
    await client.send("pusher:subscribe", channel=CHANNEL, auth=auth, channel_data=data)
    assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"
    other = await clients.greeted()
    auth = web.auth(other.socket_id, CHANNEL, data)
    await other.send("pusher:subscribe", channel=CHANNEL, auth=auth, channel_data='{"user_id":"eve"}')
    assert (await other.receive())["event"] == "pusher:subscription_error"


async def test_a_sign_in_that_is_not_signed_ends_the_connection(clients: Clients) -> None:
    client = await clients.greeted()
    await client.send("pusher:signin", auth="sagascript-key:0", user_data='{"id":"ada"}')
    assert (await client.receive())["data"]["code"] == Code.UNAUTHORIZED
    assert await client.closed_with() == Code.UNAUTHORIZED


async def test_the_python_library_queries_members(web: Web, clients: Clients) -> None:
    await clients.listening(CHANNEL)
    await clients.member(ROOM, "ada")
    library = stock_library(web)
    told = await asyncio.to_thread(library.channels_info, "presence-", ["user_count"])
    assert told == {"channels": {ROOM: {"user_count": 1}}}
    told = await asyncio.to_thread(library.channel_info, CHANNEL, ["subscription_count"])
    assert told == {"occupied": True, "subscription_count": 1}
    assert await asyncio.to_thread(library.users_info, ROOM) == {"users": [{"id": "ada"}]}


EVENT: dict[str, Any] = {"name": "e", "channel": CHANNEL, "data": "{}"}


async def call(
    web: Web, body: Any, *, call: str = "events", app_id: str | None = None, sent: bytes | None = None, **query: str
) -> int:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    path = f"/apps/{app_id or web.settings.realtime_app_id}/{call}"
    signed = {
        "auth_key": web.settings.realtime_key,
        "auth_timestamp": str(int(time.time())),
        "auth_version": "1.0",
        "body_md5": body_md5(text),
        **query,
    }
    signed["auth_signature"] = sign_call(web.settings.relay_secret, method="POST", path=path, query=signed)
    async with httpx2.AsyncClient(base_url=web.url, trust_env=False, timeout=PATIENCE_S) as client:
        return (await client.post(path, params=signed, content=sent or text)).status_code


async def test_a_correct_call_is_accepted(web: Web) -> None:
    assert await call(web, EVENT) == 200
    assert await call(web, {**EVENT, "data": "x" * 10_240}) == 200
    assert await call(web, {"batch": [EVENT] * 10}, call="batch_events") == 200


@pytest.mark.long
async def test_calls_whose_signature_does_not_cover_them_are_refused(web: Web) -> None:
    assert await call(web, EVENT, sent=b'{"name":"other"}') == 401
    assert await call(web, EVENT, auth_timestamp=str(int(time.time()) - 700)) == 401
    assert await call(web, EVENT, auth_timestamp="²") == 401
    assert await call(web, EVENT, auth_timestamp="1" * 400) == 401
    assert await call(web, EVENT, auth_key="other") == 401
    assert await call(web, EVENT, app_id="other") == 404
    async with httpx2.AsyncClient(base_url=web.url, trust_env=False, timeout=PATIENCE_S) as client:
        assert (await client.post(f"/apps/{web.settings.realtime_app_id}/events", json=EVENT)).status_code == 401


@pytest.mark.long
@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        ({**EVENT, "channel": "a:b"}, 400),
        ({**EVENT, "channels": []}, 400),
        ({**EVENT, "channel": "#server-to-user-"}, 400),
        ({**EVENT, "channel": "#other"}, 400),
        ({**EVENT, "channels": [["x"]]}, 400),
        ({**EVENT, "data": {"not": "a string"}}, 400),
        ({**EVENT, "name": ""}, 400),
        ({**EVENT, "name": "x" * 201}, 400),
        ({**EVENT, "channels": ["x"] * 101}, 400),
        ({**EVENT, "socket_id": "1:2"}, 400),
        ({**EVENT, "data": "x" * 10_241}, 413),
        (b'"' + b"x" * 1_000_001, 413),
    ],
)
async def test_bad_events_are_refused(web: Web, body: Any, status: int) -> None:
    assert await call(web, body) == status


async def test_one_bad_event_fails_its_batch(web: Web, clients: Clients) -> None:
    client = await clients.listening(CHANNEL)
    assert await call(web, {"batch": [EVENT, {**EVENT, "name": 5}]}, call="batch_events") == 400
    assert await call(web, {"batch": [EVENT] * 11}, call="batch_events") == 413
    await client.send("pusher:ping")
    assert (await client.receive())["event"] == "pusher:pong"
