"""Networks without websockets: `xhr_streaming` and `xhr_polling` of stock pusher-js, and invalid calls to them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
import pytest

from api.platform.realtime.messages import channel_of
from api.platform.realtime.publisher import ChannelEvent, Publisher
from api.platform.realtime.relay import protocol, server, session
from api.platform.realtime.relay.protocol import Code
from api.testing.browser import Browser
from api.testing.realtime.clients import Clients, Web
from api.testing.realtime.pusher_js import (
    CONNECT,
    REGISTER,
    ada,
    chromium_page,
    needs_pusher_js,
    node_client,
    send,
    target,
    until_seen,
)
from cluster.testing.patience import PATIENCE_S

__all__ = ["ada"]

pytestmark = needs_pusher_js


@pytest.fixture(autouse=True)
def _quick_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads the sessions that a test leaves behind, so the server need not wait for them when it stops."""
    monkeypatch.setattr(server, "CLOSE_S", 0.1)


COUNT = 700
NO_WEBSOCKETS = "delete window.WebSocket"
BOTH = ["xhr_streaming", "xhr_polling"]


async def publish_many(web: Web, channel: str) -> None:
    """More than 256 KB, so that a stream fills up and the client opens another."""
    async with Publisher(web.settings) as publisher:
        for start in range(0, COUNT, 10):
            events = [ChannelEvent(channel, {"n": n, "text": "þ" * 400}) for n in range(start, start + 10)]
            await publisher.publish(events)
            await asyncio.sleep(0.002)


@pytest.mark.long
@pytest.mark.parametrize("transport", BOTH)
async def test_every_event_arrives_in_order_in_chromium(web: Web, transport: str) -> None:
    async with chromium_page(web, NO_WEBSOCKETS) as page:
        user = await page.evaluate(REGISTER)
        channel = f"private-polling.{user}"
        assert await page.evaluate(CONNECT, target(web, channel, transport)) == "subscribed"
        assert await page.evaluate("pusher.connection.connection.transport.name") == transport
        await publish_many(web, channel)
        await until_seen(page, COUNT)
        assert await page.evaluate("window.seen.map((each) => each.n)") == list(range(COUNT))
        assert len(web.relay) == 1, "the session was one and the same"


@pytest.mark.long
@pytest.mark.parametrize("transport", BOTH)
async def test_every_event_arrives_in_order_in_node(web: Web, ada: Browser, transport: str) -> None:
    channel = channel_of(ada.user_id)
    async with node_client(web, ada, channel=channel, more={"enabledTransports": [transport]}) as client:
        await client.until("subscribed")
        await publish_many(web, channel)
        assert [(await client.until("polling.files"))["n"] for _ in range(COUNT)] == list(range(COUNT))


@pytest.mark.long
async def test_a_blocked_websocket_is_replaced_by_a_stream(web: Web) -> None:
    async with chromium_page(
        web, "window.WebSocket = class { constructor() { this.readyState = 0; } close() {} };"
    ) as page:
        user = await page.evaluate(REGISTER)
        everything = target(web, f"private-polling.{user}", "ws", "wss", *BOTH)
        assert await page.evaluate(CONNECT, everything) == "subscribed"
        assert await page.evaluate("pusher.connection.connection.transport.name") == "xhr_streaming"


async def test_a_client_that_was_sent_away_reconnects(web: Web, ada: Browser) -> None:
    more = {"enabledTransports": ["xhr_streaming"]}
    async with node_client(web, ada, channel=channel_of(ada.user_id), more=more) as client:
        await client.until("subscribed")
        web.relay.send_away(protocol.GOING_AWAY)
        await client.until("subscribed")
        await send(web, ada)
        assert (await client.until("polling.files"))["slug"] == "abc"


async def test_a_full_stream_stops_and_the_next_resumes_where_it_stopped(web: Web) -> None:
    async with Wire(web) as wire:
        await wire.poll()
        await wire.messages()
        await wire.send([json.dumps({"event": "pusher:subscribe", "data": {"channel": "news"}})])
        await wire.messages()
        lines: asyncio.Queue[str] = asyncio.Queue()
        first = asyncio.create_task(wire.stream(lines))
        for number in range(450):
            web.relay.channels.publish("news", "e", json.dumps({"n": number, "text": "x" * 1_000}))
            await asyncio.sleep(0.002)
        characters = 0
        while characters <= session.STREAM_CHARACTERS:
            characters += len(await asyncio.wait_for(lines.get(), PATIENCE_S))
        await asyncio.sleep(0.1)
        assert lines.empty(), "what is sent now would be lost: the client ends this stream"
        second = asyncio.create_task(wire.stream(lines))
        while characters < 450 * 1_000:
            characters += len(await asyncio.wait_for(lines.get(), PATIENCE_S))
        assert wire.numbers == list(range(450))
        first.cancel()
        second.cancel()


class Wire:
    """The three URLs of one session, without a library."""

    def __init__(self, web: Web, name: str = "123/abcdefgh", key: str | None = None) -> None:
        self._web = web
        self._root = f"/pusher/app/{key or web.settings.realtime_key}/{name}"
        self.numbers: list[int] = []
        self._client = httpx2.AsyncClient(base_url=web.url, trust_env=False, timeout=PATIENCE_S)

    async def __aenter__(self) -> Wire:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def poll(self, **headers: str) -> httpx2.Response:
        return await self._client.post(f"{self._root}/xhr", params={"protocol": "7"}, headers=headers)

    async def stream(self, lines: asyncio.Queue[str]) -> None:
        """Put the stream's lines into `lines` and their events' numbers into `numbers`."""
        async with self._client.stream("POST", f"{self._root}/xhr_streaming", params={"protocol": "7"}) as answer:
            async for line in answer.aiter_lines():
                if line.startswith("a"):
                    self.numbers += [json.loads(json.loads(text)["data"])["n"] for text in json.loads(line[1:])]
                lines.put_nowait(line)

    async def send(self, content: Any, **headers: str) -> httpx2.Response:
        return await self._client.post(f"{self._root}/xhr_send", json=content, headers=headers)

    async def preflight(self, **headers: str) -> httpx2.Response:
        return await self._client.options(f"{self._root}/xhr_send", headers=headers)

    async def messages(self) -> list[dict[str, Any]]:
        line = (await self.poll()).text
        assert line.startswith("a"), line
        return [json.loads(text) for text in json.loads(line[1:])]


async def test_a_session_opens_greets_and_answers(web: Web) -> None:
    async with Wire(web) as wire:
        assert (await wire.poll()).text == "o\n"
        assert (await wire.messages())[0]["event"] == "pusher:connection_established"
        assert (await wire.send([json.dumps({"event": "pusher:ping"})])).status_code == 204
        assert (await wire.messages())[0]["event"] == "pusher:pong"
        assert (await wire.send([])).status_code == 204
        assert (await wire.poll()).text == "a[]\n"


async def test_messages_between_two_polls_are_kept_in_order(web: Web) -> None:
    async with Wire(web) as wire:
        await wire.poll()
        await wire.messages()
        await wire.send([json.dumps({"event": "pusher:subscribe", "data": {"channel": "news"}})])
        await wire.messages()
        for number in range(5):
            web.relay.channels.publish("news", "e", str(number))
            await asyncio.sleep(0.02)
        assert [each["data"] for each in await wire.messages()] == ["0", "1", "2", "3", "4"]


async def test_a_wrong_key_gets_an_error_and_a_close(web: Web) -> None:
    async with Wire(web, key="wrong") as wire:
        opened = (await wire.poll()).text.splitlines()
        assert opened[0] == "o"
        assert str(int(Code.UNKNOWN_KEY)) in opened[1]
        assert json.loads(opened[2][1:])[0] == Code.UNKNOWN_KEY
    assert len(web.relay) == 0


async def test_a_session_of_another_process_is_unknown_here(web: Web) -> None:
    async with Wire(web) as wire:
        assert (await wire.send([])).status_code == 404
        assert (await wire.poll()).text == "o\n", "by which pusher-js knows that its session is lost"


@pytest.mark.parametrize("content", [{}, "x", 5])
async def test_nonsense_is_refused(web: Web, content: Any) -> None:
    async with Wire(web) as wire:
        await wire.poll()
        assert (await wire.send(content)).status_code == 400
        assert (await wire.send(["x" * 70_000])).status_code == 413
        assert (await wire.send([5])).status_code == 204


async def test_pages_of_other_sites_may_not_use_it(web: Web) -> None:
    async with Wire(web) as wire:
        theirs, ours = "https://elsewhere.example", f"http://localhost:{web.settings.port}"
        assert "access-control-allow-origin" not in (await wire.preflight(origin=theirs)).headers
        assert (await wire.preflight(origin=ours)).headers["access-control-allow-origin"] == ours
        assert str(int(Code.UNAUTHORIZED)) in (await wire.poll(origin=theirs)).text
        await wire.poll(origin=ours)
        assert (await wire.send([], origin=theirs)).status_code == 403


async def test_a_client_that_disconnected_leaves_nothing_behind(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "AWAY_S", 0.1)
    async with Wire(web) as wire:
        await wire.poll()
        await wire.send([json.dumps({"event": "pusher:subscribe", "data": {"channel": "news"}})])
        async with asyncio.timeout(PATIENCE_S):
            while len(web.relay) or len(web.relay.channels):
                await asyncio.sleep(0.01)


async def test_a_session_nobody_reads_is_cut_off(web: Web, clients: Clients) -> None:
    async with Wire(web) as wire:
        await wire.poll()
        await wire.send([json.dumps({"event": "pusher:subscribe", "data": {"channel": "news"}})])
        for _ in range(40):
            web.relay.channels.publish("news", "e", "x" * 9_000)
            await asyncio.sleep(0.01)
        lines = (await wire.poll()).text.splitlines()
        assert json.loads(lines[-1][1:])[0] == Code.RECONNECT
        assert len(lines) == 2, "what had waited was let go"
    assert len(web.relay) == 0
