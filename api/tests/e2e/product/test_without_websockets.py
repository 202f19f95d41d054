"""The processing page in a network that lets no websocket through."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.files.spoken_video import make_video
from api.testing.in_browser.pages import WORK_MS, choose_language, file_status, register, uploaded


@pytest.mark.long
def test_lines_appear_while_they_are_transcribed(page: Page, tmp_path: Path) -> None:
    page.add_init_script("delete window.WebSocket")
    with page.expect_request("**/pusher/app/**/xhr_streaming*", timeout=WORK_MS):
        register(page, "Mallory")
    choose_language(page, "English (US)")
    uploaded(page, make_video(tmp_path / "talk.mp4", ["en1-rms"]))
    expect(page.get_by_test_id("live-line").first).to_be_visible(timeout=WORK_MS)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
