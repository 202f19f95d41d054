"""A file that failed and an import with notes on Icelandic pages, in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.content.files.models import FileStatus
from api.testing.icelandic_accounts import in_icelandic
from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.files import add_file
from api.testing.sites.site import Person, Site
from pipelines.media.sniff import EMPTY

ENGLISH = {"the", "and", "your", "this", "with", "was", "were", "from", "caption", "captions", "line", "lines", "empty"}

OVERLAPS = """() => {
  const bar = document.querySelector("[data-testid=open-export]").parentElement.parentElement;
  const tools = [...bar.querySelectorAll("a, button")].filter((one) => one.checkVisibility());
  const boxes = tools.map((one) => ({ name: one.ariaLabel ?? one.innerText, box: one.getBoundingClientRect() }));
  boxes.sort((one, two) => one.box.left - two.box.left);
  return boxes.slice(1).flatMap(({ name, box }, before) =>
    box.left < boxes[before].box.right - 1 ? [`${name} lies on ${boxes[before].name}`] : []);
}"""


def english_on(page: Page) -> set[str]:
    return ENGLISH & set(re.findall(r"[a-z]+", page.locator("body").inner_text().lower()))


@pytest.mark.long
def test_failed_files_and_imports_explain_themselves_in_icelandic(
    desk: Page, site: Site, grace: Person, tmp_path: Path
) -> None:
    failed = add_file(site, grace.user_id, "upptaka", FileStatus.FAILED, error=EMPTY)
    (tmp_path / "texti.srt").write_text(
        '00:00:00,000 --> 00:00:09,000\n<font color="red">eitt</font>\n\n00:00:05,000 --> 00:00:06,000\ntvö\n'
    )
    with in_icelandic(site, [grace]):
        desk.goto(f"/captions/processing/{failed.slug}")
        expect(desk.get_by_role("alert").first).to_contain_text("Þessi skrá er tóm.")
        assert english_on(desk) == set()

        EditorPage(desk, site.file(grace.user_id)).open()
        desk.get_by_test_id("import-input").set_input_files(tmp_path / "texti.srt")
        expect(
            desk.get_by_text("1 texti skaraðist við þann næsta og endar nú þar sem hann byrjar.").first
        ).to_be_visible()
        expect(desk.get_by_test_id("caption-line")).to_have_count(2)
        assert english_on(desk) == set()
        desk.set_viewport_size({"width": 360, "height": 780})
        # On a phone the tools of the bar stand beside each other, and none reaches beyond it.
        expect(desk.get_by_test_id("open-export")).to_be_in_viewport(ratio=1)
        assert desk.evaluate(OVERLAPS) == []
