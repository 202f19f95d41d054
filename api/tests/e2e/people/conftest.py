from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page

from api.testing.admins import promote
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.sites.site import Site


@pytest.fixture
def office(chromium: Browser, site: Site, tmp_path: Path) -> Iterator[Page]:
    """A page of a new administrator: browsing as somebody makes their cookies useless for others."""
    cookies = tmp_path / "root.json"
    site.call(promote(site.state, site.sign_up(f"Root{uuid4().hex[:8]}", cookies)))
    with watched_page(chromium, site.url, cookies=cookies) as opened:
        opened.set_default_timeout(WORK_MS)
        yield opened
