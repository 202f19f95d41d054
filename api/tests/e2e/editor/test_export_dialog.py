"""What the pages ask before boxes are burned in, and what they tell about an imported file, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site

RARE = "\U0002a6d7"


@pytest.mark.long
def test_characters_without_a_font_are_a_question_with_three_answers(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.file(grace.user_id, f"This is {RARE}.")).open()
    desk.get_by_test_id("open-export").click()
    start = desk.get_by_test_id("start-export")
    question = desk.get_by_role("alertdialog")
    exports = desk.get_by_test_id("export")

    start.click()
    expect(question).to_contain_text("These characters will show as boxes")
    expect(question).to_contain_text(RARE)
    expect(desk.get_by_role("button", name="Export as a subtitle track")).to_be_focused()
    question.get_by_role("button", name="Cancel").click()
    expect(question).to_have_count(0)
    expect(start).to_be_focused()
    expect(exports).to_have_count(0)

    start.click()
    question.get_by_role("button", name="Export anyway").click()
    expect(exports).to_have_count(1)
    expect(exports.first).to_contain_text("Burned in")
    exports.first.get_by_role("button", name="Cancel this export").click()
    expect(exports).to_have_count(0)

    start.click()
    question.get_by_role("button", name="Export as a subtitle track").click()
    expect(exports).to_have_count(1)
    expect(exports.first).to_contain_text("Subtitle track")


def test_captions_that_must_be_clean_lead_to_what_is_open(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.file(grace.user_id, "<i>open")).open()
    desk.get_by_test_id("open-export").click()
    desk.get_by_label("Only if the quality check finds nothing").check()
    desk.get_by_test_id("start-export").click()
    refused = desk.get_by_test_id("not-clean")
    expect(refused).to_contain_text("still open in these captions")
    expect(desk.get_by_test_id("export")).to_have_count(0)
    refused.get_by_role("button", name="Open the quality panel").click()
    expect(desk.get_by_role("dialog")).to_have_count(0)
    expect(desk.get_by_test_id("rail-check")).to_have_attribute("aria-expanded", "true")


@pytest.mark.long
def test_what_the_check_finds_is_fixed_or_looked_at_before_the_export(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id, "<i>open", "Nobody knows , really.")).open()
    desk.get_by_test_id("open-export").click()
    check = desk.get_by_test_id("export-check")
    expect(check).to_contain_text(": 1 line ·")
    check.get_by_role("button", name="Fix all safe (2)").click()
    expect(check).to_have_text("No findings: these captions keep to the profile.")
    editor.wait_until_saved()
    assert editor.texts == ["open", "Nobody knows, really."]
    desk.keyboard.press("Escape")
    expect(desk.get_by_role("dialog")).to_have_count(0)

    desk.get_by_role("button", name="Undo", exact=True).click()
    desk.get_by_test_id("open-export").click()
    check.get_by_role("button", name="Look at them").click()
    expect(desk.get_by_role("dialog")).to_have_count(0)
    expect(desk.get_by_test_id("panel-quality").locator("[data-rule]")).to_have_count(2)


@pytest.mark.long
def test_an_import_tells_what_it_changed(desk: Page, site: Site, grace: Person, tmp_path: Path) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    (tmp_path / "theirs.srt").write_text(
        '00:00:00,000 --> 00:00:09,000\n<font color="red">one</font>\n\n00:00:05,000 --> 00:00:06,000\ntwo\n'
    )
    desk.get_by_test_id("import-input").set_input_files(tmp_path / "theirs.srt")
    expect(desk.get_by_text("1 caption overlapped the next one and now ends where it starts.")).to_be_visible()
    expect(desk.get_by_text("Formatting such as colours or fonts was left out")).to_be_visible()
    expect(desk.get_by_test_id("caption-line")).to_have_count(2)
    expect(desk.locator("[data-index] textarea").first).to_have_value("one")
    assert editor.texts == ["one", "two"]
