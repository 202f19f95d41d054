"""The captions over the player are those of the export, in each style and script; and the panel that styles them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.in_browser.caption_pictures import (
    HEIGHT,
    MOMENTS,
    TEXTS,
    WIDTH,
    captions_of,
    difference,
    export_picture,
    preview_picture,
    styled_file,
)
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import watched_page
from api.testing.sites.site import Person, Site
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES
from pipelines.messages.caption_style import CaptionStyle

MEAN_MAX = 6.0
SHARE_MAX = 0.005
"""Of 255, and of the pixels around the letters. Measured 0.3 to 4.0 (the codec's colours) and at most 0.0001."""


@pytest.mark.parametrize(
    "styles", [MOMENTS[:1], pytest.param(MOMENTS[1:], marks=pytest.mark.long)], ids=["short", "long"]
)
def test_preview_and_export_are_the_same_picture(
    desk: Page, site: Site, grace: Person, tmp_path: Path, styles: Sequence[tuple[str, int, int]]
) -> None:
    desk.set_viewport_size({"width": 1920, "height": 1080})
    slug = site.file(grace.user_id, *TEXTS)
    for name, number, at_ms in styles:
        style = BUILT_IN_STYLES[name][1]
        styled_file(site, desk, slug, style)
        lines = captions_of(desk, slug)
        drawn = preview_picture(desk, slug, lines[number]["id"], at_ms)
        exported = export_picture(tmp_path, lines, style, at_ms)
        assert drawn.shape == exported.shape == (HEIGHT, WIDTH, 3)
        apart = difference(drawn, exported)
        assert (apart.mean < MEAN_MAX, apart.share < SHARE_MAX) == (True, True), (name, apart)
    # The measure can tell one style from another.
    other = export_picture(tmp_path, lines, CaptionStyle(size=60), at_ms)
    assert difference(drawn, other).mean > 2 * MEAN_MAX


@pytest.mark.long
def test_a_style_is_chosen_changed_and_saved_by_keyboard(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    desk.goto(f"/captions/{slug}")
    desk.get_by_test_id("rail-style").focus()
    desk.keyboard.press("Enter")
    panel = desk.get_by_test_id("panel-style")
    style = panel.get_by_role("combobox", name="Style")
    style.focus()
    desk.keyboard.press("Enter")
    # The list is drawn a moment after it opens, and the arrows move among what is drawn.
    expect(desk.get_by_role("option").first).to_be_visible()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        desk.keyboard.press(key)
    expect(style).not_to_have_value("Classic outline")
    chosen = style.input_value()
    size = panel.get_by_label("Size")
    size.fill("90")
    colour = panel.get_by_label("Colour", exact=True)
    colour.fill("#101010")
    # Closes the palette, not the panel.
    desk.keyboard.press("Escape")
    expect(panel.get_by_test_id("contrast")).to_contain_text("Readers need 4.5 to 1")
    panel.get_by_role("button", name="Save as a new style").press("Enter")
    desk.keyboard.type("House style")
    desk.keyboard.press("Enter")
    expect(style).to_have_value("House style")
    # A style that the page did not send yet leaves with it.
    with desk.expect_response(lambda answer: "/api/files/style/" in answer.url and answer.request.method == "GET"):
        desk.reload()
    expect(style).to_have_value("House style")
    expect(size).to_have_value("90")
    assert chosen != "House style"


@pytest.mark.long
def test_without_its_drawing_engine_the_captions_are_text(chromium: Browser, site: Site, grace: Person) -> None:
    with watched_page(chromium, site.url, cookies=grace.cookies) as page:
        page.route("**/*.wasm", lambda route: route.abort())
        EditorPage(page, site.file(grace.user_id, "So the men move on")).open()
        expect(page.get_by_test_id("preview-note")).to_contain_text("plain text")
        # The place that fails without the engine: another size of the picture.
        page.set_viewport_size({"width": 900, "height": 600})
        page.wait_for_timeout(500)
