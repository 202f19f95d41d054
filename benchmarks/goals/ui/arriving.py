"""Goal 28: the editor while a transcription sends 50 lines a second, beside a plain list of the same rows."""

from __future__ import annotations

import threading
import uuid
from pathlib import Path

from playwright.sync_api import Browser

from api.testing.sites.site import Site
from benchmarks.goals.report import Report
from benchmarks.goals.ui.filling import Transcription
from benchmarks.goals.ui.measured_page import LIST, ROWS, SLOWED, MeasuredPage, measured_page

PER_S = 50
SECONDS = 12
BEFORE = 1_000
PLAIN_LINES = 3_000
_PLAIN = """([list, rows, count]) => {
    const box = document.querySelector(list), row = document.querySelector(rows);
    const plain = box.cloneNode(false);
    plain.innerHTML = row.outerHTML.repeat(count);
    box.replaceWith(plain);
}"""


def measure_arriving(report: Report, browser: Browser, site: Site, user_id: uuid.UUID, cookies: Path) -> None:
    work = Transcription(site, user_id)
    work.add(BEFORE)
    with measured_page(browser, site.url, cookies) as measured:
        measured.open_editor(work.slug)
        measured.slow_down(SLOWED)
        measured.scroll(600, 1_200)
        measured.long_tasks()
        sending = threading.Thread(target=work.stream, args=(SECONDS, PER_S))
        sending.start()
        frames = measured.scroll((SECONDS - 2) * 1_200, 1_200)
        sending.join()
        tasks = measured.long_tasks()
        report.goal("28-rows", frames.rows)
        report.goal("28-fps", frames.per_s, longest_frame_ms=frames.longest_ms)
        report.goal("28-tasks", len(tasks), milliseconds=tasks)
        _beside_a_plain_list(report, measured, frames.elements)
    with measured_page(browser, site.url, cookies) as measured:
        measured.page.goto(f"/captions/processing/{work.slug}")
        measured.page.get_by_test_id("live-line").first.wait_for()
        measured.slow_down(SLOWED)
        measured.long_tasks()
        work.stream(SECONDS / 2, PER_S)
        tasks = measured.long_tasks()
        rows = measured.page.get_by_test_id("live-line").count()
        report.figure("rows of the processing page while 50 lines/s arrive", rows, "rows", long_tasks=tasks)


def _beside_a_plain_list(report: Report, measured: MeasuredPage, elements: int) -> None:
    """Put a list of all rows in the place of ours, and scroll it alike."""
    measured.slow_down(1)
    measured.page.evaluate(_PLAIN, [LIST, ROWS, PLAIN_LINES])
    measured.slow_down(SLOWED)
    measured.long_tasks()
    plain = measured.scroll(3_600, 1_200)
    report.goal("28-nodes", plain.elements / elements, ours=elements, plain=plain.elements)
    tasks = measured.long_tasks()
    report.figure("scrolling a plain list of 3,000 lines, slowed", plain.per_s, "frames/s", long_tasks=tasks)
