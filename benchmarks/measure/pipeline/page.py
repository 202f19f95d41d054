"""A person's open page: signed in, joined to the private channel, fetching drafts as events name files."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from api.platform.realtime.messages import EVENT, Topic, channel_of
from api.testing.browser import PASSWORD, Browser
from benchmarks.measure.pipeline.timeline import Moment, Timeline

OPEN_S = 30.0
CALL_S = 60.0
REGISTER_TRIES = 30


class NoInstallation(RuntimeError):
    """Nothing that can be measured answers; the message says why."""


class Page:
    """`timelines` are the person's uploads by the name of the file, as events give it."""

    def __init__(self, browser: Browser, config: dict[str, Any], start: float) -> None:
        self.browser = browser
        self.uploads_endpoint: str = config["uploads"]["endpoint"]
        self.chunk_bytes: int = config["uploads"]["chunk_size"]
        self.timelines: dict[str, Timeline] = {}
        self._realtime: dict[str, Any] = config["realtime"]
        self._start = start
        self._changed = asyncio.Condition()
        self._fetches: set[asyncio.Task[None]] = set()

    def now(self) -> float:
        return time.perf_counter() - self._start

    async def over(self, timeline: Timeline) -> None:
        """Wait until the captions are complete or failed."""
        async with self._changed:
            await self._changed.wait_for(lambda: timeline.is_over)

    async def listen(self, joined: asyncio.Event) -> None:
        """Receive events until cancelled. A broken connection ends every upload: later events would be missing."""
        try:
            async with connect(self._address(), proxy=None, open_timeout=OPEN_S) as socket:
                async for text in socket:
                    await self._receive(socket, json.loads(text), joined)
        except (OSError, WebSocketException) as broken:
            problem = f"The realtime connection broke: {type(broken).__name__}"
        else:
            problem = "The realtime connection was closed."
        async with self._changed:
            for timeline in self.timelines.values():
                timeline.problem = timeline.problem or problem
            self._changed.notify_all()

    def _address(self) -> str:
        realtime, page = self._realtime, urlsplit(str(self.browser.base_url))
        host, port = realtime["host"] or page.hostname, realtime["port"] or page.port
        scheme = "wss" if realtime["tls"] else "ws"
        path = realtime["path"] or ""
        return f"{scheme}://{host}:{port}{path}/app/{realtime['key']}?protocol=7&client=js&version=8.6.0"

    async def _receive(self, socket: ClientConnection, message: dict[str, Any], joined: asyncio.Event) -> None:
        match message["event"]:
            case "pusher:connection_established":
                channel = channel_of(self.browser.user_id)
                body = {"socket_id": json.loads(message["data"])["socket_id"], "channel_name": channel}
                answer = await self.browser.post("/api/broadcasting/auth", json=body)
                answer.raise_for_status()
                data = {"channel": channel, **answer.json()}
                await socket.send(json.dumps({"event": "pusher:subscribe", "data": data}))
            case "pusher_internal:subscription_succeeded":
                joined.set()
            case "pusher:ping":
                await socket.send('{"event":"pusher:pong","data":{}}')
            case name if name == EVENT:
                await self._take(json.loads(message["data"]))

    async def _take(self, event: dict[str, Any]) -> None:
        timeline = self.timelines.get(event["name"])
        if timeline is None:
            return
        async with self._changed:
            timeline.receive(event, self.now())
            self._changed.notify_all()
        if event["queue"] == Topic.TRANSCRIBE and Moment.FIRST_CAPTION not in timeline.moments:
            # As the page does, beside the events that follow.
            task = asyncio.create_task(self._fetch(timeline, event["slug"]))
            self._fetches.add(task)
            task.add_done_callback(self._fetches.discard)

    async def _fetch(self, timeline: Timeline, slug: str) -> None:
        answer = await self.browser.get(f"/api/files/captions/{slug}")
        if answer.status_code == httpx2.codes.OK and answer.json()["data"]["lines"]:
            timeline.note(Moment.FIRST_CAPTION, self.now())

    async def settle(self) -> None:
        """Wait for the answers to fetches under way."""
        await asyncio.gather(*self._fetches, return_exceptions=True)


@asynccontextmanager
async def opened(url: str, start: float) -> AsyncIterator[Page]:
    """A new account's page, joined to its channel. Raises NoInstallation."""
    async with Browser(base_url=url, trust_env=False, timeout=CALL_S, follow_redirects=False) as browser:
        try:
            await _register(browser)
            config = (await browser.get("/api/config")).json()["data"]
        except (httpx2.HTTPError, ValueError, KeyError) as broken:
            raise NoInstallation(
                f"{url} does not answer like Sagascript ({type(broken).__name__}: {broken})."
            ) from broken
        page, joined = Page(browser, config, start), asyncio.Event()
        listening = asyncio.create_task(page.listen(joined))
        try:
            waiting = asyncio.create_task(joined.wait())
            await asyncio.wait({listening, waiting}, timeout=OPEN_S, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if not joined.is_set():
                raise NoInstallation(f"The page of {url} could not join its channel.")
            yield page
            await page.settle()
        finally:
            listening.cancel()
            await asyncio.wait({listening})


async def _register(browser: Browser) -> None:
    email = f"load.{uuid4().hex[:12]}@example.com"
    body = {"name": "Load", "email": email, "password": PASSWORD, "password_confirmation": PASSWORD}
    for _ in range(REGISTER_TRIES):
        answer = await browser.post("/register", json=body)
        if answer.status_code == httpx2.codes.CREATED:
            browser.user = answer.json()["data"]
            return
        if answer.status_code != httpx2.codes.TOO_MANY_REQUESTS:
            raise NoInstallation(f"No account could be made (HTTP {answer.status_code}): {answer.text[:200]}")
        # New accounts from one address are limited.
        await asyncio.sleep(float(answer.headers.get("Retry-After", 5)))
    raise NoInstallation("The installation makes no more accounts for this address.")
