from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.chromium import running_chromium
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.processes.product import Product
from api.testing.sites.site import Person, Site, running_site
from serve.testing.tiny_models.archives import WHISPER, unpack

# On a busy machine a page needs longer than Playwright's 5 s to show what it fetches.
expect.set_options(timeout=WORK_MS)


@pytest.fixture(scope="session")
def tiny_whisper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(WHISPER, tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all modules. While Playwright's loop runs, no asynchronous test can: these are the last tests."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def page(chromium: Browser, product: Product) -> Iterator[Page]:
    """A new person's browser. What the page reports as an error fails the test."""
    with watched_page(chromium, product.url) as opened:
        yield opened


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The web process without Ray, for all tests of the editor."""
    if not (PROJECT / "ui" / "dist" / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    with running_site(tmp_path_factory.mktemp("site"), PROJECT / "ui" / "dist") as running:
        yield running


@pytest.fixture(scope="module")
def grace(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    """Who edits captions on `site`: a new account for each module, so that none meets the terms or files of another."""
    cookies = tmp_path_factory.mktemp("cookies") / "grace.json"
    email = f"grace.{uuid4().hex[:8]}@example.com"
    return Person(site.sign_up("Grace", cookies, email), cookies, email)


@pytest.fixture
def desk(chromium: Browser, site: Site, grace: Person) -> Iterator[Page]:
    """Grace's browser on `site`. What the page reports as an error fails the test."""
    with watched_page(chromium, site.url, cookies=grace.cookies) as opened:
        yield opened
    site.delay_s = 0
    site.answers_to_lose = 0
