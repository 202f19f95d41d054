"""Stock pusher-js, in Node and in Chromium, against the real web process."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, async_playwright

from api.realtime.messages import Action, PollingMessage, Topic, channel_of
from api.realtime.publisher import Publisher, event_for
from api.realtime.relay import protocol
from api.tests.browser import Browser
from api.tests.realtime.conftest import Served, Web

LIBRARY = Path(__file__).parents[3] / "ui" / "node_modules" / "pusher-js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
MESSAGE = PollingMessage(queue=Topic.TRANSCRIBE, action=Action.COMPLETED, slug="abc", progress=100, name="Þula")

pytestmark = pytest.mark.skipif(not LIBRARY.is_dir(), reason="pusher-js is not installed: run `npm ci` in ui.")


class NodeClient:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.seen: list[tuple[str, Any]] = []

    async def until(self, what: str, value: Any = None) -> Any:
        """The value of the next thing that is `what` (and `value`, when given)."""
        assert self.process.stdout is not None
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), 20)
            assert line, f"the client ended; it saw {self.seen}"
            told = json.loads(line)
            self.seen.append((told["what"], told["value"]))
            if told["what"] == what and value in (None, told["value"]):
                return told["value"]


@asynccontextmanager
async def node_client(web: Served, browser: Browser | None = None, **options: Any) -> AsyncIterator[NodeClient]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed.")
    told = {
        "library": str(LIBRARY),
        "key": web.settings.realtime_key,
        "host": "127.0.0.1",
        "port": web.settings.port,
        "cookies": "" if browser is None else "; ".join(f"{c.name}={c.value}" for c in browser.cookies.jar),
        "xsrf": "" if browser is None else browser.csrf_headers()["X-XSRF-TOKEN"],
        **options,
    }
    script = Path(__file__).with_name("pusher_client.cjs")
    process = await asyncio.create_subprocess_exec(
        node,
        str(script),
        json.dumps(told),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield NodeClient(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
async def ada(web: Web) -> AsyncIterator[Browser]:
    async with web.browser() as browser:
        await browser.register("ada")
        yield browser


async def send(web: Web, browser: Browser) -> None:
    async with Publisher(web.settings) as publisher:
        await publisher.publish([event_for(browser.user_id, MESSAGE)])


async def test_node_subscribes_and_gets_events(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id)) as client:
        await client.until("subscribed")
        await send(web, ada)
        assert await client.until("polling.files") == MESSAGE.to_wire()


async def test_node_with_a_wrong_key_is_told_and_does_not_come_back(web: Web) -> None:
    async with node_client(web, key="wrong") as client:
        assert (await client.until("error"))["code"] == 4001
        await client.until("state", "disconnected")


async def test_node_may_not_join_the_channel_of_somebody_else(web: Web, ada: Browser) -> None:
    async with web.browser() as bob:
        await bob.register("bob")
        async with node_client(web, ada, channel=channel_of(bob.user_id)) as client:
            assert "403" in (await client.until("subscription_error"))["error"]


async def test_node_with_a_forged_signature_is_told(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id), forge=True) as client:
        assert (await client.until("subscription_error"))["status"] == 403


async def test_node_pings_when_it_hears_nothing(web: Web) -> None:
    async with node_client(web, more={"activityTimeout": 300}) as client:
        await client.until("state", "connected")
        await client.until("message", "pusher:pong")


async def test_node_answers_a_ping_and_stays(web: Web) -> None:
    web.relay.activity_timeout_s = 0.3
    web.relay.pong_timeout_s = 10
    async with node_client(web) as client:
        for _ in range(3):
            await client.until("message", "pusher:ping")
        assert len(web.relay) == 1


async def test_node_comes_back_after_the_server_sent_it_away(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id)) as client:
        await client.until("subscribed")
        web.relay.send_away(protocol.GOING_AWAY)
        await client.until("subscribed")
        await send(web, ada)
        assert (await client.until("polling.files"))["slug"] == "abc"


CONNECT = """
({ key, host, port, channel, transports }) => new Promise((resolve, reject) => {
  window.seen = [];
  const xsrf = () => decodeURIComponent(document.cookie.match(/XSRF-TOKEN=([^;]*)/)[1]);
  window.pusher = new Pusher(key, {
    cluster: "", wsHost: host, wsPort: port, httpHost: host, httpPort: port, forceTLS: false,
    enabledTransports: transports, disableStats: true,
    channelAuthorization: {
      transport: "ajax", endpoint: "/api/broadcasting/auth", headersProvider: () => ({ "X-XSRF-TOKEN": xsrf() }),
    },
  });
  const subscribed = window.pusher.subscribe(channel);
  subscribed.bind("polling.files", (data) => window.seen.push(data));
  subscribed.bind("pusher:subscription_succeeded", () => resolve("subscribed"));
  subscribed.bind("pusher:subscription_error", (error) => resolve(error));
})
"""

REGISTER = """
async () => {
  await fetch("/sanctum/csrf-cookie");
  const xsrf = decodeURIComponent(document.cookie.match(/XSRF-TOKEN=([^;]*)/)[1]);
  const answer = await fetch("/register", {
    method: "POST", headers: { "Content-Type": "application/json", "X-XSRF-TOKEN": xsrf },
    body: JSON.stringify({
      name: "Eve", email: "eve@example.com", password: "long enough 1", password_confirmation: "long enough 1",
    }),
  });
  return (await answer.json()).data.id;
}
"""


def target(web: Web, channel: str, *transports: str) -> dict[str, Any]:
    settings = web.settings
    return {
        "key": settings.realtime_key,
        "host": "127.0.0.1",
        "port": settings.port,
        "channel": channel,
        "transports": transports or ["ws"],
    }


@asynccontextmanager
async def chromium_page(web: Web, before: str = "") -> AsyncIterator[Page]:
    """A page of ours with the library; the script `before` runs in it first."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed.")
    root = web.settings.ui_root
    root.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("pusher_page.html"), root / "index.html")
    shutil.copy(LIBRARY / "dist" / "web" / "pusher.min.js", root)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.add_init_script(before)
        await page.goto(web.url)
        yield page
        await browser.close()


async def test_chromium_subscribes_with_its_cookies_and_gets_events(web: Web, ada: Browser) -> None:
    async with chromium_page(web) as page:
        user = await page.evaluate(REGISTER)
        refused = await page.evaluate(CONNECT, target(web, channel_of(ada.user_id)))
        assert refused["status"] == 403
        assert await page.evaluate(CONNECT, target(web, f"private-polling.{user}")) == "subscribed"
        async with Publisher(web.settings) as publisher:
            await publisher.publish([event_for(user, MESSAGE)])
        await page.wait_for_function("window.seen.length > 0")
        assert await page.evaluate("window.seen[0]") == MESSAGE.to_wire()
