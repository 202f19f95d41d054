"""`python -m benchmarks ui`: goals 27 to 29, the built pages in Chromium on a processor that is 4 times slower."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from api.testing.sites.site import running_site
from benchmarks.goals.chromium import PAGES, headless_chromium
from benchmarks.goals.report import Report
from benchmarks.goals.ui.arriving import measure_arriving
from benchmarks.goals.ui.editing import measure_scrolling, measure_typing
from benchmarks.goals.ui.filling import spoken_file
from benchmarks.goals.ui.first_load import measure_first_load
from benchmarks.goals.ui.wave import measure_waveform

PARTS = ("load", "typing", "scrolling", "arriving", "waveform")


def command(
    loads: Annotated[int, typer.Option(min=1, help="Loads of each page; the median counts.")] = 3,
    only: Annotated[list[str] | None, typer.Option(help=f"Measure a part alone: {', '.join(PARTS)}.")] = None,
) -> None:
    """Measure the pages with files of 3,000 and 5,000 lines, and lines that arrive."""
    chosen = set(only or PARTS)
    if unknown := chosen - set(PARTS):
        raise typer.BadParameter(f"There is no part {', '.join(sorted(unknown))}. The parts are {', '.join(PARTS)}.")
    report = Report("ui", "-".join(part for part in PARTS if part in chosen) if only else "")
    with (
        tempfile.TemporaryDirectory(prefix="ui-") as scratch,
        running_site(Path(scratch) / "site", PAGES) as site,
        headless_chromium() as browser,
    ):
        report.note(f"Chromium {browser.version}, headless, drawing without a GPU; pages of 1360 by 860 pixels.")
        cookies = Path(scratch) / "cookies.json"
        user_id = site.sign_up("Grace", cookies, "grace@example.com")
        short, long = spoken_file(site, user_id, 3, 3_000), spoken_file(site, user_id, 4, 5_000)
        if "load" in chosen:
            measure_first_load(report, browser, site.url, cookies, short, loads)
        if "typing" in chosen:
            measure_typing(report, browser, site.url, cookies, short, long)
        if "scrolling" in chosen:
            measure_scrolling(report, browser, site.url, cookies, long)
        if "arriving" in chosen:
            measure_arriving(report, browser, site, user_id, cookies)
        if "waveform" in chosen:
            measure_waveform(report, browser, site.url, cookies, short)
    report.note(
        "The real web process and relay on this machine, without Ray; the network costs nothing. Scripts count as "
        "`make check-first-load` counts them. Work is the processor time of main-thread tasks; key to paint is Event "
        "Timing, by the clock."
    )
    report.write()
