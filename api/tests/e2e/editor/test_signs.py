"""A sign above while people speak below: added by a key, seen in the list, the waveform, the preview and the export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.caption_pictures import HEIGHT, captions_of, export_picture, preview_picture, styled_file
from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site
from pipelines.messages.caption_style import CaptionStyle


@pytest.mark.long
def test_a_sign_is_put_above_what_is_said(desk: Page, site: Site, grace: Person, tmp_path: Path) -> None:
    slug = site.long_file(grace.user_id, 1, 360)
    styled_file(site, desk, slug, CaptionStyle())
    EditorPage(desk, slug).open()
    desk.get_by_test_id("caption-line").first.click(position={"x": 6, "y": 6})
    desk.keyboard.press("Escape")
    desk.keyboard.press("Shift+n")
    boxes = desk.get_by_test_id("caption-line").locator("textarea")
    expect(boxes.and_(desk.locator(":focus"))).to_have_value("")
    desk.keyboard.type("CLOSED ON SUNDAYS")
    desk.keyboard.press("Escape")
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")

    # Both are on screen at once, each in its half of the waveform.
    lines = captions_of(desk, slug)
    sign = next(line for line in lines if line["text"] == "CLOSED ON SUNDAYS")
    said = next(line for line in lines if line["place"] is None)
    assert sign["place"]["align"] == 8
    assert sign["start_ms"] < said["end_ms"]
    assert said["start_ms"] < sign["end_ms"]
    wave = desk.get_by_test_id("waveform")
    expect(wave.locator("[part~=cue-upper]")).to_have_text("CLOSED ON SUNDAYS")
    expect(wave.locator("[part~=cue-lower]").first).to_have_text(said["text"])

    expect(desk.get_by_test_id("line-above")).to_have_accessible_name("Top centre")

    # Down there somebody speaks.
    desk.get_by_test_id("caption-line").filter(has_text="CLOSED").get_by_label("Actions for line").click()
    desk.get_by_role("menuitemradio", name="Bottom centre").click()
    expect(desk.get_by_text("would overlap the line after it, so nothing was changed")).to_be_visible()

    at_ms = max(sign["start_ms"], said["start_ms"]) + 300
    drawn = preview_picture(desk, slug, sign["id"], at_ms)
    exported = export_picture(tmp_path, lines[:4], CaptionStyle(), at_ms)
    for picture in (drawn, exported):
        rows = np.flatnonzero((picture.max(axis=2) > 128).any(axis=1))
        assert rows.min() < HEIGHT // 3
        assert rows.max() > 2 * HEIGHT // 3
        assert not any(HEIGHT // 3 <= row <= 2 * HEIGHT // 3 for row in rows)


@pytest.mark.long
def test_a_forced_line_is_marked_by_its_menu_and_offered_alone(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id, "HARBOUR", "Somebody speaks.")
    EditorPage(desk, slug).open()
    name = "Forced: shown without subtitles too"
    desk.get_by_label("Actions for line 1", exact=True).click()
    desk.get_by_role("menuitemcheckbox", name=name).click()
    expect(desk.get_by_test_id("line-forced")).to_have_accessible_name(name)
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")
    assert [line["forced"] for line in captions_of(desk, slug)] == [True, False]

    desk.get_by_role("button", name="Import and download").click()
    desk.get_by_role("menuitemcheckbox", name="Only forced captions").click()
    with desk.expect_download() as started:
        desk.get_by_role("menuitem", name="Download SRT").click()
    assert started.value.suggested_filename.endswith(".en-US.forced.srt")
    text = Path(started.value.path()).read_text()
    assert "HARBOUR" in text
    assert "Somebody" not in text
