"""Goal 27: what a page needs before it shows, and when it shows, on a slow processor with an empty cache."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from benchmarks.goals.chromium import PAGES
from benchmarks.goals.report import Report
from benchmarks.goals.ui.measured_page import ROWS, SHOWN_WITHIN_MS, SLOWED, measured_page

_SIZE = re.compile(r"(?P<page>.+?): (?P<kb>[\d.]+) kB")
_LATER_PAINTS_MS = 700


def measure_first_load(report: Report, browser: Browser, url: str, cookies: Path, slug: str, loads: int) -> None:
    listed = subprocess.run(
        ["node", "firstLoad.mjs", "--list"], cwd=PAGES.parent, capture_output=True, text=True, check=False
    )
    sizes = {match["page"]: float(match["kb"]) for match in _SIZE.finditer(listed.stdout)}
    report.goal("27-js", max(sizes.values()), pages=sizes)
    pages = {
        "landing": ("/", None, "h1"),
        "sign-in": ("/login", None, "input[name=email]"),
        "dashboard": ("/dashboard", cookies, "input[type=file]"),
        "editor": (f"/captions/{slug}", cookies, ROWS),
    }
    paints, sent = {}, {}
    for name, (path, whose, shown) in pages.items():
        runs = [_load(browser, url, path, whose, shown) for _ in range(loads)]
        paints[name] = median(lcp for lcp, _ in runs)
        sent[name] = runs[0][1]
    report.goal("27-lcp", max(paints.values()), pages=paints)
    for name, kilobytes in sent.items():
        report.figure(f"sent until the {name} page is at rest", kilobytes, "kB")


def _load(browser: Browser, url: str, path: str, cookies: Path | None, shown: str) -> tuple[float, float]:
    """The largest contentful paint in seconds, and kilobytes over the network, scripts, styles, fonts and answers."""
    with measured_page(browser, url, cookies) as measured:
        received = measured.received()
        measured.slow_down(SLOWED)
        measured.page.goto(path)
        measured.page.locator(shown).first.wait_for(state="attached", timeout=SHOWN_WITHIN_MS)
        measured.page.wait_for_timeout(_LATER_PAINTS_MS)
        return measured.lcp_s(), sum(received) / 1000
