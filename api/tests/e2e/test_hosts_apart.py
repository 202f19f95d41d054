"""Pages, uploads and realtime on hosts of different names, each a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.pages import WORK_MS, register, watched_page
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Hosts:
    pages: str
    uploads: str
    relay: str


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    """No cookie of `localhost` goes to `127.0.0.1`."""
    if not (PROJECT / "ui" / "dist" / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    folder = tmp_path_factory.mktemp("hosts")
    ports = dict(zip(("api", "uploads", "relay"), (free_port() for _ in range(3)), strict=True))
    found = Hosts(f"http://localhost:{ports['api']}", *(f"http://127.0.0.1:{ports[at]}" for at in ("uploads", "relay")))
    environment = {
        "SAGASCRIPT_DATA_DIR": str(folder),
        "SAGASCRIPT_PUBLIC_URL": found.pages,
        "SAGASCRIPT_UPLOADS_ENDPOINT": f"{found.uploads}/tus/",
        "SAGASCRIPT_REALTIME_URL": found.relay,
        "SAGASCRIPT_SERVE_UPLOADS": "false",
        "SAGASCRIPT_SERVE_RELAY": "false",
    }
    subprocess.run([sys.executable, "-m", "api.main", "migrate"], env=os.environ | environment, check=True)
    with ExitStack() as stack:
        for command, port in ports.items():
            process = subprocess.Popen(
                [sys.executable, "-m", "api.main", command, "--port", str(port)], env=os.environ | environment
            )
            stack.callback(process.wait, PATIENCE_S)
            stack.callback(process.terminate)
        for port in ports.values():
            _wait_for(port)
        yield found


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            httpx2.get(f"http://127.0.0.1:{port}/", trust_env=False, timeout=PATIENCE_S)
            return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise TimeoutError("A host did not start.")


@pytest.fixture
def page(chromium: Browser, hosts: Hosts) -> Iterator[Page]:
    with watched_page(chromium, hosts.pages) as opened:
        yield opened


def test_a_file_goes_to_an_upload_host_of_another_name(page: Page, hosts: Hosts, tmp_path: Path) -> None:
    file = tmp_path / "talk.mp4"
    file.write_bytes(b"not really a video" * 1000)
    register(page, "Ines")
    # The connection ends before any byte arrives, and the person comes back later.
    page.route(
        f"{hosts.uploads}/tus/*", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_()
    )
    with page.expect_event("requestfailed", lambda request: request.method == "PATCH", timeout=WORK_MS):
        page.locator("input[type=file]").first.set_input_files(str(file))
    # The page tries again by itself, so bytes may pass only once it is gone.
    page.goto("about:blank")
    page.unroute_all(behavior="ignoreErrors")
    page.goto("/dashboard")
    with page.expect_response(lambda answer: answer.request.method == "HEAD", timeout=WORK_MS) as head:
        page.locator("input[type=file]").first.set_input_files(str(file))
    assert head.value.status == 200
    assert head.value.url.startswith(hosts.uploads)
    assert "cookie" not in head.value.request.all_headers()
    expect(page.get_by_role("heading", level=1)).to_have_text("talk", timeout=WORK_MS)


@pytest.mark.parametrize("has_websockets", [True, False])
def test_events_come_from_a_relay_of_another_name(page: Page, hosts: Hosts, has_websockets: bool) -> None:
    if not has_websockets:
        page.add_init_script("delete window.WebSocket")
    # Sent once the private channel is joined.
    with page.expect_response("**/api/polling/initiate", timeout=WORK_MS) as initiated:
        register(page, f"Ken{has_websockets}")
    assert initiated.value.status == 200


def test_pages_connect_to_nothing_else(page: Page, hosts: Hosts) -> None:
    page.goto("/login")
    refused = page.evaluate(
        """async (urls) => {
            const refused = new Set();
            document.addEventListener('securitypolicyviolation', (event) => refused.add(event.blockedURI));
            for (const url of urls) {
                if (url.startsWith('ws')) { try { new WebSocket(url) } catch { refused.add(url) } }
                else await fetch(url, { mode: 'no-cors' }).catch(() => undefined);
            }
            await new Promise((done) => setTimeout(done, 200));
            return urls.filter((url) => [...refused].some((blocked) => blocked.startsWith(url)));
        }""",
        [*(others := ["ws://evil.example:81", "wss://evil.example", "http://127.0.0.1:9"]), hosts.uploads, hosts.relay],
    )
    assert sorted(refused) == sorted(others)
