"""The documentation of the API, as a browser shows it without any other server."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from api.testing.in_browser.pages import watched_page
from api.testing.sites.site import Site


@pytest.mark.long
def test_the_documentation_shows_every_route_from_this_server_alone(chromium: Browser, site: Site) -> None:
    with watched_page(chromium, site.url) as page:
        hosts: set[str] = set()
        page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        page.goto("/api/docs")
        expect(page.get_by_role("heading", name="Sagascript")).to_be_visible()
        operation = page.locator(".opblock", has=page.get_by_text("/api/error/log", exact=True)).first
        operation.click()
        expect(operation.get_by_role("heading", name="Responses")).to_be_visible()
        # The page adds operations as one scrolls to them.
        assert page.locator(".opblock-summary-path").count() >= 3
        assert hosts - {""} == {urlsplit(site.url).netloc}


def test_programs_have_a_documentation_of_their_own(chromium: Browser, site: Site) -> None:
    with watched_page(chromium, site.url) as page:
        page.goto("/api/v1/docs")
        expect(page.get_by_role("heading", name="Sagascript REST API")).to_be_visible()
        expect(page.get_by_text("/api/v1/files", exact=True).first).to_be_visible()
