"""A better model arrives on a first start and takes over; nobody restarts. The tests before had the built-in engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.files.spoken_video import make_video, text_of
from api.testing.in_browser.pages import WORK_MS, file_status, register, uploaded
from api.testing.processes.product import Product
from cluster.testing.patience import PATIENCE_S
from serve.testing.model_hub import ModelHub

pytestmark = pytest.mark.long

CLIP = "en4-rms"
LATER_CLIP = "en2-rms"


def lines_of(page: Page, slug: str) -> str:
    page.goto(f"/captions/{slug}")
    lines = page.get_by_test_id("caption-line")
    expect(lines.first).to_be_visible(timeout=WORK_MS)
    return " ".join(line.locator("textarea").input_value() for line in lines.all())


def transcribed(page: Page, path: Path) -> str:
    slug = uploaded(page, path)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    return slug


def test_work_begins_at_once_and_a_better_model_takes_over(
    page: Page, product: Product, hub: ModelHub, tmp_path: Path
) -> None:
    product.wait_for_line("Getting a better speech model", PATIENCE_S)
    register(page, "Ida")
    badge = page.get_by_test_id("model-badge")
    expect(badge).to_have_text(re.compile(r"^Better model: [1-9]\d%$"), timeout=WORK_MS)
    badge.click()
    models = page.get_by_role("dialog", name="What works here")
    expect(models).to_contain_text("Getting a better speech model:")
    bar = models.get_by_role("progressbar")
    expect(bar).to_have_attribute("aria-valuenow", re.compile(r"^[1-9]\d(\.\d+)?$"))
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("better-model")).to_have_count(0)

    first = transcribed(page, make_video(tmp_path / "first.mp4", [CLIP]))
    rough = lines_of(page, first)
    assert rough != text_of(CLIP)

    hub.faults.bytes_per_s = None
    product.wait_for_line("The speech model “base” is ready. New files use it.", PATIENCE_S)
    page.goto("/dashboard")
    offer = page.get_by_test_id("better-model")
    expect(offer).to_contain_text("A better model is ready: Whisper base. Transcribe this file again?", timeout=WORK_MS)

    second = transcribed(page, make_video(tmp_path / "second.mp4", [LATER_CLIP]))
    assert lines_of(page, second) == text_of(LATER_CLIP)

    page.goto("/dashboard")
    offer.get_by_role("button", name="Transcribe again").click()
    expect(offer).to_have_count(0, timeout=WORK_MS)
    again = page.get_by_test_id("file").filter(has_text="first")
    expect(again).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    assert lines_of(page, first) == text_of(CLIP)
    # What the built-in engine wrote is one undo away.
    line = page.get_by_test_id("caption-line").first.locator("textarea")
    expect(line).to_be_editable(timeout=WORK_MS)
    page.keyboard.press("Control+z")
    expect(line).not_to_have_value(text_of(CLIP), timeout=WORK_MS)
    assert hub.ranges == [None]
