"""Find and replace, spelling and the review of captions, in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site

TEXTS = ("The harbour is closd today.", "Nobody knows the harbour.", "Ask at the harbour tomorrow.")


@pytest.mark.long
def test_words_are_found_replaced_corrected_and_reviewed(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id, *TEXTS)).open()
    editor.go_into(0, 4)
    editor.press("Control+f")
    query = desk.get_by_test_id("find-query")
    expect(query).to_be_focused()
    editor.type("harbour")
    expect(desk.get_by_test_id("find-count")).to_have_text("3 matches")
    expect(desk.locator("mark", has_text="harbour")).to_have_count(3)
    desk.get_by_test_id("find-replacement").fill("port")
    desk.get_by_test_id("replace-all").click()
    editor.wait_until_saved()
    assert editor.texts == [text.replace("harbour", "port") for text in TEXTS]
    query.focus()
    editor.press("Escape")
    expect(desk.get_by_test_id("panel-find")).to_have_count(0)
    editor.press("Control+z")
    editor.wait_until_saved()
    assert editor.texts == list(TEXTS)

    wrong = desk.locator("mark", has_text="closd")
    editor.go_into(0, 17)
    expect(wrong).to_be_visible()
    editor.press("Shift+Alt+k")
    desk.get_by_test_id("word-menu").get_by_role("menuitem", name="closed", exact=True).click()
    expect(wrong).to_have_count(0)
    editor.wait_until_saved()
    assert editor.texts[0] == "The harbour is closed today."

    editor.press("Control+.")
    expect(desk.get_by_test_id("panel-review")).to_be_visible()
    expect(desk.get_by_test_id("review-progress")).to_contain_text("reviewed")
