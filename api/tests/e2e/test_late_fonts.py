"""Fonts that come late: nothing on the page moves, so that a click lands where somebody aimed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route

from api.testing.in_browser.pages import wait_until, watched_page
from api.testing.sites.site import Person, Site

FONTS = "**/*.woff2"
PAST_THE_BLOCK_MS = 500
"""Browsers wait 100 ms for a font before they draw with another one."""


def _place(locator: Locator) -> dict[str, Any]:
    box = locator.bounding_box()
    assert box is not None
    return {**box}


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_nothing_moves_when_the_fonts_come(chromium: Browser, site: Site, grace: Person, is_signed_in: bool) -> None:
    with watched_page(chromium, site.url, cookies=grace.cookies if is_signed_in else None) as page:
        held: list[Route] = []
        page.route(FONTS, lambda route: held.append(route))
        slug = site.file(grace.user_id, "A line whose letters are wide.", "Another one.")
        page.goto(f"/captions/{slug}" if is_signed_in else "/", wait_until="commit")
        lines = page.get_by_text("Another one.").first
        aim = lines if is_signed_in else page.get_by_role("link", name="Create an account")
        aim.wait_for()
        page.wait_for_timeout(PAST_THE_BLOCK_MS)
        before = _place(aim)
        assert held
        for route in held:
            route.continue_()
        page.unroute(FONTS)
        wait_until(page, "document.fonts.status === 'loaded'")
        assert _place(aim) == before
