"""The documentation of the API, as a browser shows it without any other server."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

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


@pytest.mark.long
def test_programs_have_a_documentation_of_their_own(chromium: Browser, site: Site) -> None:
    with watched_page(chromium, site.url) as page:
        page.goto("/api/v1/docs")
        expect(page.get_by_role("heading", name="Sagascript REST API")).to_be_visible()
        expect(page.get_by_text("/api/v1/files", exact=True).first).to_be_visible()


def test_the_manual_is_found_from_the_menu_read_and_searched(desk: Page) -> None:
    desk.goto("/captions")
    desk.get_by_role("button", name="Your account").click()
    desk.get_by_role("menuitem", name="Manual").click()
    expect(desk.get_by_role("heading", name="Sagascript", level=1)).to_be_visible()
    desk.get_by_role("navigation", name="Manual").get_by_role("link", name="Settings").click()
    expect(desk.get_by_role("heading", name="Settings", level=1)).to_be_visible()
    expect(desk.get_by_role("link", name="Settings", exact=True)).to_have_attribute("aria-current", "page")
    desk.keyboard.press("/")
    desk.keyboard.type("webhook")
    first = desk.locator("#hits a").first
    expect(first).to_contain_text("ebhook")
    desk.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    address = str(first.get_attribute("href"))
    desk.keyboard.press("Enter")
    desk.wait_for_url(f"**{address}")
    expect(desk.locator("#results")).to_be_hidden()
    desk.get_by_label("Search the manual").fill("zyzzyva")
    expect(desk.get_by_role("status")).to_have_text("No section has all of these words. Try fewer or others.")
    assert desk.goto("/docs/nothing-here").status == 404  # type: ignore[union-attr]
    expect(desk.get_by_role("heading", name="There is no such page")).to_be_visible()
