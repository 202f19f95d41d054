"""Captions go out as a table, are corrected elsewhere, and come back line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.axe import violations
from api.testing.sites.site import Person, Site

TEXTS = ("The harbour is closed.", "Nobody knows.", "Ask there.")


def bring_back(desk: Page, path: Path) -> None:
    desk.get_by_test_id("review-input").set_input_files(path)


@pytest.mark.long
def test_corrections_come_back_and_are_accepted_one_by_one(
    desk: Page, site: Site, grace: Person, tmp_path: Path
) -> None:
    slug = site.file(grace.user_id, *TEXTS)
    desk.goto(f"/captions/{slug}")
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value(TEXTS[0])
    answer = desk.request.get(f"/api/files/captions/{slug}/download?format=csv")
    table = tmp_path / "talk.csv"
    table.write_bytes(answer.body())
    bring_back(desk, table)
    expect(desk.get_by_text("talk.csv changes nothing")).to_be_visible()

    text = answer.body().decode("utf-8-sig")
    text = text.replace("is closed", "is open").replace("Nobody knows", "Somebody knows").replace(",", ";")
    table.write_text(text + "4;00:01:00;;60000;;;A new line\n", "utf-8")
    bring_back(desk, table)
    dialog = desk.get_by_role("dialog", name="Corrections in talk.csv")
    changes = dialog.get_by_test_id("outside-change")
    expect(changes).to_have_count(2)
    expect(changes.first.locator("ins")).to_contain_text("open")
    expect(dialog).to_contain_text("1 text belongs to no line")
    expect(dialog).to_contain_text("A new line")
    assert violations(desk) == []
    changes.nth(1).get_by_role("checkbox").uncheck()
    dialog.get_by_role("button", name="Apply 1 change").click()
    expect(dialog).to_have_count(0)
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value("The harbour is open.")
    expect(desk.get_by_label("Text of line 2", exact=True)).to_have_value(TEXTS[1])
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")
    desk.get_by_role("button", name="Undo", exact=True).click()
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value(TEXTS[0])


@pytest.mark.long
def test_a_word_replaced_everywhere(desk: Page, site: Site, grace: Person, tmp_path: Path) -> None:
    texts = [f"Line {number} of the sea" for number in range(230)]
    slug = site.file(grace.user_id, *texts)
    desk.goto(f"/captions/{slug}")
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value(texts[0])
    answer = desk.request.get(f"/api/files/captions/{slug}/download?format=csv")
    table = tmp_path / "talk.csv"
    table.write_bytes(answer.body().replace(b"the sea", b"the ocean"))
    bring_back(desk, table)
    dialog = desk.get_by_role("dialog", name="Corrections in talk.csv")
    changes = dialog.get_by_test_id("outside-change")
    expect(changes).to_have_count(200)
    dialog.get_by_role("button", name="Show more (30 not shown)").click()
    expect(changes).to_have_count(230)
    dialog.get_by_role("button", name="Refuse all").click()
    expect(dialog.get_by_test_id("apply-review")).to_be_disabled()
    dialog.get_by_role("button", name="Accept all").click()
    dialog.get_by_role("button", name="Apply 230 changes").click()
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value("Line 0 of the ocean")
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")


@pytest.mark.long
def test_what_cannot_be_compared_says_so(desk: Page, site: Site, grace: Person, tmp_path: Path) -> None:
    slug = site.file(grace.user_id, *TEXTS)
    desk.goto(f"/captions/{slug}")
    expect(desk.get_by_label("Text of line 1", exact=True)).to_have_value(TEXTS[0])
    broken = tmp_path / "talk.docx"
    broken.write_bytes(b"PK\x03\x04 nothing")
    bring_back(desk, broken)
    expect(desk.get_by_text("This Word document is damaged.")).to_be_visible()
    # From the keyboard, the menu names it.
    desk.get_by_role("button", name="Import and download").click()
    expect(desk.get_by_role("menuitem", name="Bring back a correction (Word, CSV, text)")).to_be_visible()
