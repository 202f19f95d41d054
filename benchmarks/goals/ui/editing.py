"""Goal 27's typing and the editor's own goals: keys in thousands of lines, on a slow processor and on this one."""

from __future__ import annotations

from pathlib import Path
from statistics import median, quantiles

from playwright.sync_api import Browser

from benchmarks.goals.report import Report
from benchmarks.goals.ui.measured_page import SLOWED, MeasuredPage, measured_page

TYPED = list("and then they all went back to the harbour ") * 3
_PAUSE_MS = 60
_WARM_UP = list("at first ")


def p95(values: list[float]) -> float:
    return quantiles(values, n=20)[18]


def measure_typing(report: Report, browser: Browser, url: str, cookies: Path, short: str, long: str) -> None:
    """Type in the middle of `short` (3,000 lines), slowed, and of `long` (5,000 lines), at both speeds."""
    with measured_page(browser, url, cookies) as measured:
        _open_in_the_middle(measured, short)
        own = measured.loop_ms()
        measured.slow_down(SLOWED)
        report.figure("the processor, slowed / as it is", round(measured.loop_ms() / own, 2), "x")
        measured.key_times(_WARM_UP, _PAUSE_MS)
        taken = measured.key_times(TYPED, _PAUSE_MS)
        report.goal("27-inp", p95(taken), median_ms=median(taken), keys=len(taken))
        commands = [*["Control+Enter", "Shift+Alt+n"] * 6, *["Control+z"] * 6]
        changed = measured.key_times(commands, 4 * _PAUSE_MS)
        report.figure("splits, joins and undos in 3,000 lines to the next paint, p95, slowed", p95(changed), "ms")
    with measured_page(browser, url, cookies) as measured:
        _open_in_the_middle(measured, long)
        measured.work_ms(_WARM_UP)
        work = measured.work_ms(TYPED)
        report.goal("keystroke", p95(work), median_ms=median(work), keys=len(work))
        measured.slow_down(SLOWED)
        slowed = measured.work_ms(TYPED)
        report.figure("work of a keystroke in 5,000 lines, p95, slowed", p95(slowed), "ms", median_ms=median(slowed))


def measure_scrolling(report: Report, browser: Browser, url: str, cookies: Path, slug: str) -> None:
    """Scroll through 5,000 lines at both speeds."""
    with measured_page(browser, url, cookies) as measured:
        measured.open_editor(slug)
        measured.scroll(1_000, 2_000)
        own = measured.scroll(12_000, 3_000)
        report.goal("scroll", own.per_s, longest_frame_ms=own.longest_ms, rows=own.rows)
        measured.slow_down(SLOWED)
        slow = measured.scroll(12_000, 3_000)
        report.figure("scrolling through 5,000 lines, slowed", slow.per_s, "frames/s", longest_ms=slow.longest_ms)


def _open_in_the_middle(measured: MeasuredPage, slug: str) -> None:
    measured.open_editor(slug)
    measured.scroll(40_000, 40_000)
    measured.go_into(8)
