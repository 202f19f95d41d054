"""Publishing: the stock server library, our own publisher, and calls that must be refused."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from typing import Any

import httpx
import pusher
import pytest

from api.realtime.messages import Action, PollingMessage, Queue, channel_of
from api.realtime.publisher import Publisher, RelayRefused, RelayUnavailable, event_for
from api.realtime.signing import body_md5, sign_call
from api.settings import ApiSettings
from api.tests.realtime.conftest import Clients, Web

CHANNEL = "private-polling.x"


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
        PollingMessage(queue=Queue.UPLOAD, action=Action.PROGRESS, slug="s", progress=percent) for percent in range(25)
    ]
    async with Publisher(web.settings) as publisher:
        await publisher.publish([event_for(user, message) for message in messages])
    got = [await client.receive() for _ in messages]
    assert [message["data"]["progress"] for message in got] == list(range(25))
    assert got[0]["data"] == {"queue": "Upload", "action": "Progress", "slug": "s", "child": None, "progress": 0}


async def test_the_publisher_tells_away_from_refused(web: Web, unused_tcp_port: int) -> None:
    event = event_for(uuid.uuid4(), PollingMessage(queue=Queue.TUS, action=Action.COMPLETED, slug="s"))
    away = ApiSettings(realtime_url=f"http://127.0.0.1:{unused_tcp_port}", realtime_secret="s")
    async with Publisher(away) as publisher:
        with pytest.raises(RelayUnavailable):
            await publisher.publish([event])
    stranger = ApiSettings(realtime_url=web.url, realtime_secret="another secret")
    async with Publisher(stranger) as publisher:
        with pytest.raises(RelayRefused):
            await publisher.publish([event])


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
    async with httpx.AsyncClient(base_url=web.url, trust_env=False) as client:
        return (await client.post(path, params=signed, content=sent or text)).status_code


async def test_a_correct_call_is_taken(web: Web) -> None:
    assert await call(web, EVENT) == 200
    assert await call(web, {"batch": [EVENT] * 10}, call="batch_events") == 200


async def test_calls_that_are_not_signed_for_what_they_say_are_refused(web: Web) -> None:
    assert await call(web, EVENT, sent=b'{"name":"other"}') == 401
    assert await call(web, EVENT, auth_timestamp=str(int(time.time()) - 700)) == 401
    assert await call(web, EVENT, auth_timestamp="²") == 401
    assert await call(web, EVENT, auth_key="other") == 401
    assert await call(web, EVENT, app_id="other") == 404
    async with httpx.AsyncClient(base_url=web.url, trust_env=False) as client:
        assert (await client.post(f"/apps/{web.settings.realtime_app_id}/events", json=EVENT)).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        ({**EVENT, "channel": "a:b"}, 400),
        ({**EVENT, "channels": []}, 400),
        ({**EVENT, "channels": [["x"]]}, 400),
        ({**EVENT, "data": {"not": "a string"}}, 400),
        ({**EVENT, "name": ""}, 400),
        ({**EVENT, "data": "x" * 10_001}, 413),
        (b'"' + b"x" * 1_000_001, 413),
    ],
)
async def test_bad_events_are_refused(web: Web, body: Any, status: int) -> None:
    assert await call(web, body) == status


async def test_one_bad_event_spoils_its_batch(web: Web, clients: Clients) -> None:
    client = await clients.listening(CHANNEL)
    assert await call(web, {"batch": [EVENT, {**EVENT, "name": 5}]}, call="batch_events") == 400
    assert await call(web, {"batch": [EVENT] * 11}, call="batch_events") == 413
    await client.send("pusher:ping")
    assert (await client.receive())["event"] == "pusher:pong"
