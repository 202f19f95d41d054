"""Lines are retimed by buttons, locked and given a speaker by keys: what a drag or the mouse does otherwise."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site


@pytest.mark.long
def test_buttons_and_keys_retime_lock_and_name_the_speaker(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    start = desk.get_by_label("Start of line 2", exact=True)
    text = desk.get_by_label("Text of line 2", exact=True)
    chip = desk.get_by_test_id("caption-line").nth(1).get_by_test_id("speaker-chip")
    begins = start.input_value()

    desk.get_by_role("button", name="Go to line 2").click()
    desk.get_by_test_id("nudge").click()
    pad = desk.get_by_test_id("nudge-pad")
    pad.get_by_role("button", name="Start: 0.1 s later", exact=True).click()
    expect(start).not_to_have_value(begins)
    moved = start.input_value()
    editor.press("Escape")
    expect(pad).to_have_count(0)

    desk.get_by_role("button", name="Go to line 2").click()
    editor.press("k")
    expect(desk.get_by_test_id("line-locked")).to_have_count(1)
    expect(text).to_have_attribute("readonly", "")
    editor.press("w")
    expect(desk.get_by_text("This line is locked.").first).to_be_visible()
    expect(start).to_have_value(moved)

    # Who speaks is not part of what a lock keeps.
    editor.press("Shift+1")
    expect(chip).to_contain_text("Speaker 1")
    editor.wait_until_saved()
    desk.reload()
    expect(desk.get_by_test_id("line-locked")).to_have_count(1)
    # The file opens where it was left.
    expect(desk.locator("[data-selected]").get_by_label("Text of line 2", exact=True)).to_be_visible()
    desk.get_by_role("button", name="Go to line 2").click()
    editor.press("k")
    expect(desk.get_by_test_id("line-locked")).to_have_count(0)
    expect(text).not_to_have_attribute("readonly", "")


def test_letters_for_a_line_without_room_go_nowhere(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    # The halves of a line have no time between them.
    editor.go_into(0, 11)
    editor.press("Control+Enter")
    halves = editor.texts
    editor.go_into(0, 3)
    editor.press("Shift+Alt+KeyA")
    # As text they would go into the line before; as commands k would lock it, Delete remove it, Enter go back into it.
    editor.type("walk ")
    editor.press("Delete", "Enter")
    editor.type("k")
    expect(desk.get_by_text("There is no room for a new line here.").first).to_be_visible()
    assert editor.texts == halves
    expect(desk.get_by_test_id("line-locked")).to_have_count(0)
    editor.press("Escape", "Enter")
    editor.type("!")
    assert editor.texts == [f"{halves[0]}!", *halves[1:]]
