"""The glossary page: write, change, search, delete, import and export terms, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

HEADER = "source,target,from,to,note,case\n"


def test_terms_are_written_changed_found_and_deleted(desk: Page) -> None:
    desk.goto("/dashboard")
    desk.get_by_role("button", name="Your account").click()
    desk.get_by_role("menuitem", name="Glossary").click()
    expect(desk.get_by_text("No terms yet")).to_be_visible()
    desk.get_by_label("Term", exact=True).fill("harbour master")
    desk.get_by_label("Translation", exact=True).fill("capitán del puerto")
    desk.keyboard.press("Enter")
    terms = desk.get_by_test_id("term")
    expect(terms).to_have_count(1)
    desk.get_by_label("Term", exact=True).fill("Reykjavík")
    desk.get_by_role("button", name="Add term").click()
    expect(terms).to_have_count(2)
    expect(terms.nth(1)).to_contain_text("stays as it is")

    desk.get_by_role("button", name="Edit harbour master").click()
    terms.first.get_by_label("Translation", exact=True).fill("jefe del puerto")
    terms.first.get_by_role("button", name="Save").click()
    expect(terms.first).to_contain_text("jefe del puerto")
    desk.get_by_role("searchbox", name="Search terms").fill("JEFE")
    expect(terms).to_have_count(1)
    expect(desk.get_by_text("1 of 2 terms")).to_be_visible()
    desk.get_by_role("button", name="Delete harbour master").click()
    expect(desk.get_by_text("No terms match your search.")).to_be_visible()
    desk.get_by_role("button", name="Undo").click()
    expect(terms).to_have_count(1)


@pytest.mark.long
def test_an_import_reports_the_rows_it_refused(desk: Page, tmp_path: Path) -> None:
    theirs = tmp_path / "terms.csv"
    theirs.write_text(HEADER + "pier,muelle,en,es,,\nquay,muelle,xx-unknown,es,,\nbuoy,boya,,,,\n")
    desk.goto("/glossary")
    desk.get_by_test_id("glossary-import").set_input_files(theirs)
    report = desk.get_by_test_id("import-report")
    expect(report).to_contain_text("2 terms added")
    expect(report).to_contain_text("Row 3")
    expect(desk.get_by_text("buoy")).to_be_visible()
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Export CSV").click()
    assert "pier,muelle" in Path(download.value.path()).read_text()
