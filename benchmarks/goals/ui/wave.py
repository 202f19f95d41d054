"""Goal 29: the waveform of three hours."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from benchmarks.goals.report import Report
from benchmarks.goals.ui.editing import p95
from benchmarks.goals.ui.measured_page import SLOWED, MeasuredPage, measured_page

_PAINTED = """async () => {
    const drawn = () => [...document.querySelectorAll('[data-testid=waveform] div')].some((box) =>
        [...box.shadowRoot?.querySelectorAll('canvas') ?? []].some((canvas) => canvas.width > 0));
    while (!drawn()) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const [answer] = performance.getEntriesByType('resource').filter(({name}) => name.endsWith('/peaks'));
    return { after: performance.now() - answer.responseEnd, bytes: answer.encodedBodySize };
}"""
_AT_REST_MS = 1_500
_STEPS = ["Shift+Equal", "Shift+Equal", "Shift+Minus", "Shift+Minus"]
_ROUNDS = 16
_SETTLE_S = 0.25


def measure_waveform(report: Report, browser: Browser, url: str, cookies: Path, slug: str) -> None:
    """`slug` is a file of three hours."""
    painted = {}
    for factor in (1, SLOWED):
        with measured_page(browser, url, cookies) as measured:
            measured.slow_down(factor)
            measured.page.goto(f"/captions/{slug}")
            painted[factor] = measured.page.evaluate(_PAINTED)
            measured.page.wait_for_timeout(_AT_REST_MS)
            if factor == 1:
                own = _zoom(measured)
            else:
                slowed = _zoom(measured)
    report.goal("29-bytes", painted[1]["bytes"] / 1000)
    report.goal("29-paint", painted[1]["after"], slowed=painted[SLOWED]["after"])
    report.goal("29-zoom", p95(own), milliseconds=own)
    report.figure("waveform of 3 hours, work of one zoom step, p95, slowed", p95(slowed), "ms", milliseconds=slowed)


def _zoom(measured: MeasuredPage) -> list[float]:
    """Steps by key: a click would also count the tooltip of its button."""
    return measured.work_ms(_STEPS * _ROUNDS, settle_s=_SETTLE_S)
