"""An AI text by the built-in engine, from the upload on, in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.files.spoken_video import make_video
from api.testing.in_browser.pages import CLIPS, WORK_MS, choose_language, register, uploaded


@pytest.mark.long
def test_the_built_in_engine_writes_a_text_from_a_recording(page: Page, tmp_path: Path) -> None:
    register(page, "Vigdis")
    choose_language(page, "English (US)")
    uploaded(page, make_video(tmp_path / "lunch.mp4", CLIPS))
    page.get_by_role("link", name="Files", exact=True).click()
    card = page.get_by_test_id("file").filter(has_text="lunch")
    expect(card).to_have_attribute("data-status", "completed", timeout=2 * WORK_MS)
    card.get_by_role("button", name="More for lunch").click()
    page.get_by_role("menuitem", name="AI text").click()
    page.get_by_test_id("write-texts").click()
    text = page.get_by_test_id("ai-text")
    expect(text).to_have_attribute("data-state", "ready", timeout=3 * WORK_MS)
    expect(text).to_contain_text("No language model wrote this.")
    chip = text.get_by_role("button", name=re.compile("^Play from")).first
    said = (chip.get_attribute("aria-label") or "").partition(": ")[2]
    captions = page.request.get(f"/api/files/captions/{card_slug(page)}").json()["data"]["lines"]
    assert said in " ".join(line["text"] for line in captions)


def card_slug(page: Page) -> str:
    return page.url.partition("/captions/")[2].partition("?")[0]
