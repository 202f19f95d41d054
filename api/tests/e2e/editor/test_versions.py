"""Versions of captions: named, compared with now and with each other, and brought back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from api.testing.in_browser.editor_page import EditorPage, open_tool
from api.testing.sites.site import Person, Site

TEXTS = ("One", "Two")


def keep(panel: Locator, name: str) -> None:
    panel.get_by_role("textbox", name="Name of the version").fill(name)
    panel.get_by_role("button", name="Keep this version").click()
    expect(panel.get_by_test_id("version-label").filter(has_text=name)).to_be_visible()


def write(editor: EditorPage, desk: Page, text: str) -> None:
    box = desk.get_by_label("Text of line 1", exact=True)
    box.fill(text)
    box.blur()
    editor.wait_until_saved()


@pytest.mark.long
def test_two_versions_are_compared_with_now_and_with_each_other(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id, *TEXTS)).open()
    open_tool(desk, "history")
    panel = desk.get_by_test_id("panel-history")
    for number in ("first", "second"):
        write(editor, desk, f"The {number} text")
        keep(panel, f"Version {number}")
    write(editor, desk, "The third text")

    first = panel.get_by_test_id("version").filter(has_text="Version first")
    first.get_by_role("button", expanded=False).first.click()
    difference = first.get_by_test_id("difference")
    expect(difference.locator("ins")).to_contain_text("third")
    expect(first.get_by_test_id("restore-version")).to_be_visible()

    first.get_by_role("combobox", name="Compare with").click()
    desk.get_by_role("option", name="Version second").click()
    expect(difference.locator("ins")).to_contain_text("second")
    # Only what one compares with now can be brought back.
    expect(first.get_by_test_id("restore-version")).to_have_count(0)
    first.get_by_role("combobox", name="Compare with").click()
    desk.get_by_role("option", name="Now", exact=True).click()
    first.get_by_test_id("restore-version").click()
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value("The first text")
