"""The editor with the keyboard alone, and whether the walks through each route (`test_routes.py`) find faults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from api.testing.in_browser.reflow_walk import reflow_faults
from api.testing.sites.site import Person, Site
from api.tests.e2e.test_routes import OFTEN_WAITING


@pytest.fixture(scope="module")
def slug(site: Site, grace: Person) -> str:
    return site.file(grace.user_id)


@pytest.fixture(scope="module")
def stranger(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    yield from _context(chromium, site, None)


@pytest.fixture(scope="module")
def member(chromium: Browser, site: Site, grace: Person) -> Iterator[BrowserContext]:
    yield from _context(chromium, site, grace)


def _context(chromium: Browser, site: Site, person: Person | None) -> Iterator[BrowserContext]:
    cookies = None if person is None else person.cookies
    opened = chromium.new_context(
        base_url=site.url, viewport={"width": 1360, "height": 860}, storage_state=cookies, reduced_motion="reduce"
    )
    yield opened
    opened.close()


def _editor(context: BrowserContext, slug: str) -> Page:
    page = context.new_page()
    page.goto(f"/captions/{slug}")
    page.get_by_label("Text of line 2").wait_for()
    # What still loads beside the lines would take or move the focus.
    page.wait_for_load_state("networkidle")
    page.get_by_text(OFTEN_WAITING[0]).wait_for(state="detached")
    return page


def test_the_tab_key_leaves_the_lines_after_one_of_them(member: BrowserContext, slug: str) -> None:
    page = _editor(member, slug)
    page.get_by_label("Text of line 2").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    back = page.get_by_role("button", name="Back to the selected line")
    expect(back).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("rail-edit")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Actions for line 2")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of line 2")).to_be_focused()
    page.close()


@pytest.mark.long
def test_a_broken_panel_leaves_the_lines_usable(member: BrowserContext, slug: str) -> None:
    page = _editor(member, slug)
    page.route("**/api/files/captions/*/versions*", lambda route: route.fulfill(json={"data": {}}))
    page.get_by_test_id("rail-versions").press("Enter")
    broken = page.get_by_test_id("panel-history").get_by_role("alert")
    expect(broken).to_contain_text("The rest of the page still works.")
    box = page.get_by_label("Text of line 3")
    box.press_sequentially("!")
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")
    page.close()


@pytest.mark.long
def test_the_walk_finds_what_a_page_does_wrong(stranger: BrowserContext) -> None:
    page = stranger.new_page()
    page.set_content("""
      <style>@keyframes turn { to { rotate: 360deg } }</style>
      <h1 style="width: 400px">Wider than a phone</h1>
      <p style="width: 60px; overflow: hidden; white-space: nowrap">This sentence goes on</p>
      <p style="height: 17px; overflow: hidden; line-height: 17px; font-size: 14px; margin: 0">One <br> Two</p>
      <button style="padding: 0; width: 16px; height: 16px; border: 0">1</button><button
        style="padding: 0; width: 16px; height: 16px; border: 0">2</button>
      <i style="display: block; width: 9px; height: 9px; animation: turn 1s infinite; background: red"></i>
      <div><button aria-pressed="true">On</button><button aria-pressed="false">Off</button></div>
    """)
    faults = " | ".join(reflow_faults(page))
    for expected in (
        "400 %: the page is",
        'beside the window: h1 "Wider than a phone"',
        'cut off: p "This sentence goes on"',
        'cut off: p "One Two"',
        'target of 16 by 16: button "1"',
        "keeps moving: turn",
        'it looks like the others: "On"',
    ):
        assert expected in faults
    page.close()
