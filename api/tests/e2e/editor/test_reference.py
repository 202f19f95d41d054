"""Other captions beside those that one works on, at the time of the selected line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage, open_tool
from api.testing.sites.site import Person, Site


@pytest.mark.long
def test_another_file_is_read_along_and_its_text_taken(desk: Page, site: Site, grace: Person) -> None:
    other = site.file(grace.user_id, "First of the old version.", "Second of the old version.", "Third.")
    slug = site.file(grace.user_id, "First line.", "Secnd lne.", "Third line.")
    editor = EditorPage(desk, slug).open()
    desk.get_by_role("button", name="Go to line 2").click()
    open_tool(desk, "reference")
    panel = desk.get_by_test_id("panel-reference")
    expect(panel.get_by_text("Choose other captions to see beside these")).to_be_visible()

    panel.get_by_role("combobox", name="Captions to compare with").click()
    # Both are called "talk": this one stands among its own languages.
    desk.get_by_role("option", name="talk · English (US)").first.click()
    then = panel.locator("li[aria-current]")
    expect(then).to_have_count(1)
    expect(then).to_contain_text("Second of the old version.")

    # It follows the selected line, and time where the other film begins later.
    desk.get_by_role("button", name="Go to line 1").click()
    expect(then).to_contain_text("First of the old version.")
    panel.get_by_label("Later by (s)").fill("5")
    expect(then).to_contain_text("Second of the old version.")
    panel.get_by_label("Later by (s)").fill("0")
    expect(then).to_contain_text("First of the old version.")

    desk.get_by_role("button", name="Go to line 2").click()
    panel.get_by_role("button", name="Use the text of the reference").click()
    editor.wait_until_saved()
    assert editor.texts[1] == "Second of the old version."
    desk.keyboard.press("Control+z")
    expect(desk.get_by_label("Text of line 2")).to_have_value("Secnd lne.")

    # It is there again at the next visit.
    desk.goto(f"/captions/{slug}")
    expect(panel.get_by_role("combobox", name="Captions to compare with")).to_have_value("talk · English (US)")
    # It is this file's and this person's: its name may be one that another may not see.
    kept = desk.evaluate("Object.keys(localStorage).filter(key => key.startsWith('sagascript.reference'))")
    assert kept == [f"sagascript.reference.{grace.user_id}.{slug}"]
    desk.goto(f"/captions/{other}")
    expect(panel.get_by_text("Choose other captions to see beside these")).to_be_visible()
