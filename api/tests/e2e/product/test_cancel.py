"""Cancelling real work in a browser: it ends as cancelled and not as done, leaves no program, and can begin again."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.platform.jobs.states import JobState
from api.testing.files.spoken_video import make_video
from api.testing.in_browser.pages import CLIPS, WORK_MS, choose_language, file_status, register, uploaded
from api.testing.processes.product import Product
from api.testing.processes.suspension import is_ffmpeg, is_transcriber, processes_below, suspended

ROUNDS = 12
"""Two minutes of speech: seconds of work for ffmpeg, so that it does not end before it is suspended."""


def end_of_the_export(page: Page, product: Product) -> str:
    """The last state of the newest export's job: its row on the page goes before it ends."""
    deadline = time.monotonic() + WORK_MS / 1000
    with closing(sqlite3.connect(product.data_dir / "sagascript.db")) as database:
        newest = "SELECT state FROM jobs WHERE kind = 'export' ORDER BY created_at DESC LIMIT 1"
        while (state := database.execute(newest).fetchone()[0]) in (JobState.READY, JobState.RUNNING):
            assert time.monotonic() < deadline, state
            page.wait_for_timeout(100)
    return str(state)


@pytest.mark.long
def test_a_transcription_and_an_export_are_cancelled(page: Page, product: Product, tmp_path: Path) -> None:
    """The work is suspended while the person cancels it: however fast the machine, it cannot end before the click."""
    register(page, "Niaj")
    choose_language(page, "English (US)")
    video = make_video(tmp_path / "long.mp4", CLIPS, pause_s=0.4, rounds=ROUNDS)
    status = file_status(page)
    with suspended(product.process.pid, is_transcriber):
        slug = uploaded(page, video)
        expect(status).to_have_attribute("data-status", "transcribing", timeout=WORK_MS)
        page.get_by_role("button", name="Cancel", exact=True).click()
        expect(status).to_have_attribute("data-status", "abandoned", timeout=WORK_MS)
    expect(page.get_by_text("You cancelled this file.")).to_be_visible()
    page.get_by_text("Details", exact=True).click()
    transcribing = page.get_by_role("heading", name="Transcribing")
    expect(transcribing.get_by_text("Cancelled")).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Notifications").click()
    expect(page.get_by_test_id("notice").first).to_have_text("You cancelled 'long'.", timeout=WORK_MS)
    expect(page.get_by_text("Something broke")).to_have_count(0)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Start again").click()
    expect(status).to_have_attribute("data-status", "completed", timeout=2 * WORK_MS)

    page.goto(f"/captions/{slug}")
    page.get_by_test_id("open-export").click()
    under_way = page.get_by_test_id("export").filter(has_text="%")
    with suspended(product.process.pid, is_ffmpeg):
        page.get_by_test_id("start-export").click()
        expect(under_way).to_be_visible(timeout=WORK_MS)
        page.get_by_role("button", name="Cancel this export").click()
        expect(under_way).to_have_count(0, timeout=WORK_MS)
        assert end_of_the_export(page, product) == JobState.CANCELLED
        assert processes_below(product.process.pid, is_ffmpeg) == []
