"""A user's open page: listens on the private channel, fetches what events name, requests the state after each break.

It shows what a page of the product would show: it fetches a file when an event names it, and all files after each
connection. It never fetches otherwise, so an event that was never sent leaves it wrong for good.
"""

from __future__ import annotations

import asyncio
import json
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from api.platform.realtime.messages import EVENT, channel_of
from benchmarks.soak.browser import AGAIN_AFTER_S, SERVER_AWAY, Browser
from benchmarks.soak.durability.journal import Event, Journal

OPEN_S = 10.0
NOT_FOUND = 404
OK = 200
INITIATE_TRIES = 20
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says about calls of our own pages."""
PER_PAGE = 1000

Shown = dict[str, Any]


class Listener:
    """`shown` is the page's model: for each slug the status, whether it plays, and the status of each export."""

    def __init__(self, browser: Browser, relay_url: str, key: str, journal: Journal) -> None:
        self._browser = browser
        self._url = f"ws://{urlsplit(relay_url).netloc}/app/{key}?protocol=7&client=js&version=8.6.0"
        self._journal = journal
        self.shown: dict[str, Shown] = {}
        self.connections = 0
        self.events = 0
        self.is_listening = False
        self._stale: set[str] = set()
        # An older answer of another call must not overwrite a newer one.
        self._fetching = asyncio.Lock()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._live())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    def forget(self, slug: str) -> None:
        """Drop a file that the user deleted on this page: an answer still under way must not bring it back."""
        self.shown.pop(slug, None)
        self.changed_here(slug)

    def changed_here(self, slug: str) -> None:
        """Fetch a file that the user changed on this page."""
        self._stale.add(slug)
        self._wake.set()

    @property
    def is_settled(self) -> bool:
        return self.is_listening and not self._stale and not self._fetching.locked()

    def write_down(self, *, fresh: bool = False) -> None:
        """Note in the journal what the page shows; `fresh` marks a page that was just opened."""
        self._journal.note(Event.PAGE_SHOWS, user_id=self._browser.user_id, files=self.shown, fresh=fresh)

    @property
    def broke_with(self) -> BaseException | None:
        """The error that ended this page, if one did."""
        if self._task is None or not self._task.done() or self._task.cancelled():
            return None
        return self._task.exception()

    async def _live(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._fetch_for_ever())
            tasks.create_task(self._listen_for_ever())

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                async with connect(self._url, proxy=None, open_timeout=OPEN_S) as socket:
                    await self._listen(socket)
            except (OSError, WebSocketException):
                pass
            finally:
                self.is_listening = False
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _listen(self, socket: ClientConnection) -> None:
        channel = channel_of(self._browser.user_id)  # type: ignore[arg-type]
        async for text in socket:
            message = json.loads(text)
            match message["event"]:
                case "pusher:connection_established":
                    credentials = {"socket_id": json.loads(message["data"])["socket_id"], "channel_name": channel}
                    answer = await self._browser.try_once("POST", "/api/broadcasting/auth", json=credentials)
                    if answer is None or answer.status_code != OK:
                        return
                    # As pusher-js does: everything that was signed goes to the relay.
                    data = {"channel": channel, **answer.json()}
                    await socket.send(json.dumps({"event": "pusher:subscribe", "data": data}))
                case "pusher_internal:subscription_succeeded":
                    self.connections += 1
                    await self._catch_up()
                    self.is_listening = True
                case "pusher:ping":
                    await socket.send('{"event":"pusher:pong","data":{}}')
                case "pusher:error" | "pusher:subscription_error":
                    return
                case name if name == EVENT:
                    self.events += 1
                    self.changed_here(str(json.loads(message["data"])["slug"]))

    async def _catch_up(self) -> None:
        """Request the state again and fetch everything."""
        for _ in range(INITIATE_TRIES):
            answer = await self._browser.try_once("GET", "/api/polling/initiate", headers=OWN_PAGE)
            if answer is not None and answer.status_code < SERVER_AWAY:
                break
            await asyncio.sleep(AGAIN_AFTER_S)
        await self.fetch_all()

    async def fetch_all(self) -> None:
        async with self._fetching:
            found: dict[str, Shown] = {}
            for page in count(1):
                answer = (await self._browser.get(f"/api/files?per_page={PER_PAGE}&page={page}")).json()
                found |= {file["slug"]: _of(file) for file in answer["data"]}
                if page * PER_PAGE >= answer["meta"]["total"]:
                    break
            self.shown = found

    async def _fetch_for_ever(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._stale:
                async with self._fetching:
                    # Clear before the call: a change during it is fetched again.
                    slug = self._stale.pop()
                    answer = await self._browser.get(f"/api/files/{slug}")
                    if answer.status_code == NOT_FOUND:
                        self.shown.pop(slug, None)
                    elif answer.status_code == OK:
                        self.shown[slug] = _of(answer.json()["data"])


def _of(file: dict[str, Any]) -> Shown:
    exports = {export["id"]: export["status"] for export in file["exports"]}
    return {"status": file["status"], "plays": file["playback_ready"], "exports": exports}
