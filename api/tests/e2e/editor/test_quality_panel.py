"""Quality in the editor: findings while typing, safe fixes, profiles, and cutting the lines again."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.axe import violations
from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site


def test_findings_are_found_fixed_and_reported(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    before = editor.texts
    expect(desk.get_by_role("button", name="Quality: no findings")).to_be_visible()
    editor.go_into(0, 0)
    editor.type("<i>")
    editor.go_into(1, 0)
    editor.type("Nobody knows, ")
    expect(desk.get_by_test_id("quality-count")).to_have_text("2")
    editor.press("Control+s")
    editor.wait_until_saved()

    # The key goes to the next line with a finding, also while typing.
    editor.go_into(2, 0)
    editor.press("F8")
    expect(desk.get_by_label("Text of line 1")).to_be_focused()

    desk.get_by_test_id("rail-check").click()
    panel = desk.get_by_test_id("panel-quality")
    tag = panel.locator("[data-rule=tag]")
    expect(tag).to_contain_text("<i> has no counterpart")
    expect(tag).to_contain_text("<i> removed, because it has no counterpart.")
    # A tooltip is no landmark.
    desk.mouse.move(0, 0)
    expect(desk.get_by_role("tooltip")).to_have_count(0)
    assert violations(desk) == []
    panel.get_by_test_id("only-findings").check()
    expect(desk.get_by_test_id("caption-line")).to_have_count(2)

    fix_all = panel.get_by_test_id("fix-all")
    expect(fix_all).to_have_text("Fix all safe (2)")
    fix_all.click()
    expect(panel.get_by_test_id("no-findings")).to_be_visible()
    expect(desk.get_by_test_id("quality-said")).to_have_text("2 lines fixed. Undo takes it back.")
    panel.get_by_test_id("only-findings").uncheck()
    editor.wait_until_saved()
    assert editor.texts[0] == before[0]
    with desk.expect_download() as download:
        panel.get_by_role("link", name="Report as CSV").click()
    (header,) = csv.reader(io.StringIO(Path(download.value.path()).read_text("utf-8-sig")))
    assert header[0] == "line"
    desk.get_by_role("button", name="Undo", exact=True).click()
    expect(desk.get_by_label("Text of line 1")).to_have_value(f"<i>{before[0]}")


@pytest.mark.long
def test_a_profile_of_ones_own_and_cutting_again(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    before = editor.texts
    desk.get_by_test_id("rail-check").click()
    panel = desk.get_by_test_id("panel-quality")
    panel.get_by_test_id("quality-profile").select_option(label="Shorts 9:16")
    expect(panel.locator("[data-rule=row_too_long]")).not_to_have_count(0)
    panel.get_by_test_id("own-profiles").click()
    desk.get_by_test_id("new-profile").click()
    desk.get_by_role("textbox", name="Name").fill("Tiny rows")
    desk.get_by_label("Characters a row").fill("14")
    desk.get_by_test_id("save-profile").click()
    expect(desk.get_by_test_id("profiles")).to_contain_text("Tiny rows")
    desk.get_by_role("button", name="Close", exact=True).click()
    panel.get_by_test_id("quality-profile").select_option(label="Tiny rows")
    panel.get_by_test_id("cut-again").click()
    panel.get_by_test_id("cut-again-now").click()
    expect(desk.get_by_text("The lines were cut again. Undo brings the old ones back.").first).to_be_visible()
    expect(desk.get_by_label("Text of line 1")).not_to_have_value(before[0])
    assert all(len(row) <= 14 for text in editor.texts for row in text.split("\n"))
    assert " ".join(" ".join(editor.texts).split()) == " ".join(" ".join(before).split())
    desk.get_by_role("button", name="Undo", exact=True).click()
    expect(desk.get_by_label("Text of line 1")).to_have_value(before[0])
