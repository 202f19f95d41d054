"""Every route with the keyboard alone, and then enlarged: all can be reached and read, and one sees where one is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from api.testing.admins import promote
from api.testing.keyboard_walk import keyboard_faults, popup_faults, skip_link_faults
from api.testing.reflow_walk import reflow_faults
from api.testing.site import Person, Site
from api.tests.e2e.test_routes import ADMINS, MEMBERS, OFTEN_WAITING, SETTLE_MS, VISITORS

pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="module")
def root(site: Site, grace: Person) -> Person:
    """An administrator with files, who meets every page of a member too."""
    site.call(promote(site.state, grace.user_id))
    return grace


@pytest.fixture(scope="module")
def slug(site: Site, root: Person) -> str:
    return site.file(root.user_id)


@pytest.fixture(scope="module")
def stranger(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    yield from _context(chromium, site, None)


@pytest.fixture(scope="module")
def member(chromium: Browser, site: Site, root: Person) -> Iterator[BrowserContext]:
    yield from _context(chromium, site, root)


def _context(chromium: Browser, site: Site, person: Person | None) -> Iterator[BrowserContext]:
    cookies = None if person is None else person.cookies
    opened = chromium.new_context(
        base_url=site.url, viewport={"width": 1360, "height": 860}, storage_state=cookies, reduced_motion="reduce"
    )
    yield opened
    opened.close()


def _open(context: BrowserContext, path: str, title: str) -> Page:
    page = context.new_page()
    page.goto(path)
    page.wait_for_function("title => document.title === `${title} · Sagascript`", arg=title, timeout=SETTLE_MS)
    page.wait_for_load_state("networkidle")
    page.get_by_text(OFTEN_WAITING[0]).wait_for(state="detached", timeout=SETTLE_MS)
    return page


@pytest.mark.parametrize("route", VISITORS.items(), ids=lambda route: route[0])
def test_a_visitor_reaches_everything_by_keyboard(stranger: BrowserContext, route: tuple[str, str]) -> None:
    page = _open(stranger, *route)
    assert keyboard_faults(page) + popup_faults(page) + reflow_faults(page) == []
    page.close()


PAGES = {path: title for path, title in {**MEMBERS, **ADMINS}.items() if path != "/admin"}
"""`/admin` only leads to another of them."""


@pytest.mark.parametrize("route", PAGES.items(), ids=lambda route: route[0])
def test_a_member_reaches_everything_by_keyboard(
    member: BrowserContext, root: Person, slug: str, route: tuple[str, str]
) -> None:
    path, title = route
    page = _open(member, path.format(slug=slug, user=root.user_id), title)
    faults = keyboard_faults(page)
    # The page for an address that nobody has is a single link.
    if title != "Page not found":
        faults += skip_link_faults(page)
    assert faults + popup_faults(page) + reflow_faults(page) == []
    page.close()


def test_the_tab_key_leaves_the_lines_after_one_of_them(member: BrowserContext, site: Site, slug: str) -> None:
    page = _open(member, f"/captions/{slug}", "Subtitles")
    page.get_by_label("Text of line 2").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    back = page.get_by_role("button", name="Back to the selected line")
    expect(back).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Previous line")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("button", name="Actions for line 2")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Text of line 2")).to_be_focused()
    page.close()


def test_a_broken_panel_leaves_the_lines_usable(member: BrowserContext, slug: str) -> None:
    page = _open(member, f"/captions/{slug}", "Subtitles")
    page.route("**/api/files/captions/*/versions*", lambda route: route.fulfill(json={"data": {}}))
    page.get_by_test_id("tools").press("Enter")
    page.get_by_test_id("tool-history").press("Enter")
    broken = page.get_by_test_id("panel-history").get_by_role("alert")
    expect(broken).to_contain_text("The rest of the page still works.")
    box = page.get_by_label("Text of line 3")
    box.press_sequentially("!")
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")
    page.close()


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
