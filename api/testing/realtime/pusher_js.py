"""Stock pusher-js in Node and in Chromium, as a client of the relay."""

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

from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.publisher import Publisher, event_for
from api.testing.browser import Browser
from api.testing.in_browser.chromium import chromium_program
from api.testing.realtime.clients import ServedRelay, Web
from cluster.testing.patience import PATIENCE_S

LIBRARY = Path(__file__).parents[3] / "ui" / "node_modules" / "pusher-js"

MESSAGE = PollingMessage(queue=Topic.TRANSCRIBE, action=Action.COMPLETED, slug="abc", progress=100, name="Þula")


needs_pusher_js = pytest.mark.skipif(not LIBRARY.is_dir(), reason="pusher-js is not installed: run `npm ci` in ui.")


class NodeClient:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.seen: list[tuple[str, Any]] = []

    async def until(self, what: str, value: Any = None) -> Any:
        """The value of the next event named `what`, with this `value` if given."""
        assert self.process.stdout is not None
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
            assert line, f"the client ended; it saw {self.seen}"
            message = json.loads(line)
            self.seen.append((message["what"], message["value"]))
            if message["what"] == what and value in (None, message["value"]):
                return message["value"]


@asynccontextmanager
async def node_client(web: ServedRelay, browser: Browser | None = None, **options: Any) -> AsyncIterator[NodeClient]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed.")
    message = {
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
        json.dumps(message),
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
    """A page with the library. The script `before` runs in it first."""
    program = chromium_program()
    root = web.settings.ui_root
    root.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("pusher_page.html"), root / "index.html")
    shutil.copy(LIBRARY / "dist" / "web" / "pusher.min.js", root)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.add_init_script(before)
        await page.goto(web.url)
        yield page
        await browser.close()


async def until_seen(page: Page, count: int) -> None:
    """Wait until the page has seen this many events; pytest's timeout bounds the wait.

    The page's policy forbids `eval`, which Playwright's own `wait_for_function` needs unless its first look succeeds.
    """
    while await page.evaluate("window.seen.length") < count:
        await asyncio.sleep(0.05)
