"""From registration to a downloaded video without a pointer: no step of this file clicks."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import av
import pytest
from playwright.sync_api import Page, expect

from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import make_video, text_of
from api.testing.in_browser.pages import WORK_MS, file_status, wait_until
from api.testing.in_browser.tab_key import press_on, tab_to

CLIP = "en4-rms"
ODD_SPACES = "Seven green bottles , stood on the hall."


def _register(page: Page) -> None:
    page.goto("/")
    press_on(page.get_by_role("link", name="Create an account").first)
    page.wait_for_url("**/register")
    for name, value in {
        "name": "Keiko",
        "email": f"keiko.{uuid4().hex[:8]}@example.com",
        "password": PASSWORD,
        "password_confirmation": PASSWORD,
    }.items():
        tab_to(page.locator(f"input[name={name}]"))
        page.keyboard.type(value)
    page.keyboard.press("Enter")
    page.wait_for_url("**/dashboard")


def _upload(page: Page, video: Path) -> None:
    language = page.get_by_label("Spoken language").first
    tab_to(language)
    page.keyboard.type("English (US)")
    expect(page.get_by_role("option", name="English (US)", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(language).to_have_value("English (US)")
    with page.expect_file_chooser() as chooser:
        press_on(page.get_by_role("button", name="Choose files"))
    chooser.value.set_files(video)


@pytest.mark.long
def test_the_main_job_by_keyboard_alone(page: Page, tmp_path: Path) -> None:
    _register(page)
    _upload(page, make_video(tmp_path / "bottles.mp4", [CLIP]))
    # What was uploaded alone opens in its live view.
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    press_on(page.get_by_test_id("live-line").first.get_by_role("link"))

    lines = page.get_by_test_id("caption-line")
    first = page.get_by_label("Text of line 1")
    expect(first).to_have_value(text_of(CLIP))
    tab_to(first)

    # Correct, split before "stood", join again.
    page.keyboard.press("End")
    for _ in "wall.":
        page.keyboard.press("Backspace")
    page.keyboard.type("hall.")
    page.keyboard.press("Home")
    for _ in "Seven green bottles ":
        page.keyboard.press("ArrowRight")
    page.keyboard.type(", ")
    page.keyboard.press("Control+Enter")
    expect(lines).to_have_count(2)
    expect(page.get_by_label("Text of line 2")).to_have_value("stood on the hall.")
    expect(page.get_by_label("Text of line 2")).to_be_focused()
    page.keyboard.press("Shift+Alt+KeyN")
    expect(lines).to_have_count(1)
    expect(first).to_be_focused()
    expect(first).to_have_value(ODD_SPACES)

    end = page.get_by_label("End of line 1")
    before = end.input_value()
    tab_to(end, back=True)
    page.keyboard.press("ArrowUp")
    expect(end).not_to_have_value(before)
    expect(end).to_be_focused()

    # The focus goes into the panel, and from there back to the lines.
    tab_to(page.get_by_test_id("rail-check"))
    page.keyboard.press("Enter")
    panel = page.get_by_test_id("panel-quality")
    expect(panel.locator("[data-rule=spaces]")).to_be_visible()
    press_on(panel.get_by_test_id("fix-all"))
    expect(first).to_have_value(ODD_SPACES.replace(" ,", ","))
    page.keyboard.press("Control+z")
    expect(first).to_have_value(ODD_SPACES)
    press_on(panel.get_by_test_id("fix-all"))
    expect(first).to_have_value(ODD_SPACES.replace(" ,", ","))
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(page.get_by_test_id("rail-check")).to_be_focused()
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved", timeout=WORK_MS)

    press_on(page.get_by_test_id("open-export"))
    press_on(page.get_by_test_id("start-export"))
    download = page.get_by_test_id("export").get_by_role("link", name="Download")
    expect(download).to_be_visible(timeout=WORK_MS)
    with page.expect_download() as arriving:
        press_on(download)
    finished = tmp_path / "finished.mp4"
    arriving.value.save_as(finished)
    with av.open(str(finished)) as video:
        assert [stream.type for stream in video.streams] == ["video", "audio"]
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_until(page, "document.activeElement !== document.body")
