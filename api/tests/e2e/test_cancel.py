"""Cancelling real work in a browser: what is under way ends within the promised time, and can be started again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.tests.e2e.product import Product
from api.tests.e2e.spoken_video import make_video
from api.tests.e2e.test_main_job import CLIPS, WORK_MS, choose_language, register, upload

ENDS_MS = 10_000
"""Issue and design: cancel in every state within 10 s."""
ROUNDS = 60
"""Six minutes of speech: seconds of work for the model, and for ffmpeg."""

pytestmark = pytest.mark.timeout(420)


def programs_at_work(product: Product) -> list[str]:
    """Command lines of the ffmpeg processes that work on anything of this installation."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            line = process.joinpath("cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            folder = str(process.joinpath("cwd").readlink())
        except OSError:
            continue
        if "ffmpeg" in line.split(" ")[0] and str(product.data_dir) in line + folder:
            found.append(line)
    return found


def test_a_transcription_and_an_export_are_cancelled(page: Page, product: Product, tmp_path: Path) -> None:
    register(page, "Niaj")
    choose_language(page, "English (US)")
    upload(page, make_video(tmp_path / "long.mp4", CLIPS * ROUNDS, pause_s=0.4))
    card = page.get_by_test_id("file")
    expect(card).to_be_visible(timeout=WORK_MS)
    slug = card.get_attribute("data-slug")
    page.goto(f"/captions/processing/{slug}")
    status = page.get_by_test_id("status")
    expect(page.get_by_test_id("heard-line").first).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(status).to_have_attribute("data-status", "abandoned", timeout=ENDS_MS)
    expect(page.get_by_text("You cancelled this file.")).to_be_visible()

    page.get_by_text("Details", exact=True).click()
    expect(page.locator("details").get_by_text("Cancelled").first).to_be_visible(timeout=ENDS_MS)
    page.get_by_role("button", name="Start again").click()
    expect(status).to_have_attribute("data-status", "completed", timeout=2 * WORK_MS)

    page.goto(f"/captions/{slug}")
    page.get_by_test_id("open-export").click()
    page.get_by_test_id("start-export").click()
    under_way = page.get_by_test_id("export").filter(has_text="%")
    expect(under_way).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Cancel this export").click()
    expect(under_way).to_have_count(0, timeout=ENDS_MS)
    until = time.monotonic() + ENDS_MS / 1000
    while (left := programs_at_work(product)) and time.monotonic() < until:
        page.wait_for_timeout(100)
    assert left == []
