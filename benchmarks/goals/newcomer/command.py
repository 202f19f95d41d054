"""`python -m benchmarks newcomer`: from the address to an exported clip of one's own, in clicks and seconds."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import expect

from api.testing.files.spoken_video import make_video
from api.testing.in_browser.chromium import running_chromium
from api.testing.in_browser.pages import CLIPS, WORK_MS
from api.testing.processes.product import running_product
from benchmarks.goals.newcomer.stranger import Stranger
from benchmarks.goals.report import Report
from serve.testing.tiny_models.archives import models_folder

CORRECTION = "Please open the big window before lunch."


def command(
    pictures: Annotated[Path | None, typer.Option(help="Folder for a picture of each step.", file_okay=False)] = None,
) -> None:
    """Walk through the pages of a new installation at the pace of a person."""
    report = Report("newcomer")
    with tempfile.TemporaryDirectory(prefix="newcomer-") as work:
        folder = Path(work)
        clip = make_video(folder / "my holiday.mp4", CLIPS)
        models = models_folder(folder / "models")
        shots = pictures or folder / "pictures"
        with (
            running_product(folder / "data", models_dir=str(models), allow_hub="false") as product,
            running_chromium() as browser,
        ):
            page = browser.new_page(base_url=product.url, viewport={"width": 1360, "height": 860})
            page.set_default_timeout(WORK_MS)
            stranger = Stranger(page, shots)
            began = time.monotonic()
            seconds = {name: took for name, took in _journey(stranger, clip, folder / "result.mp4")}
            lasted_s = time.monotonic() - began
    report.goal("clicks", stranger.clicks, steps=list(seconds))
    report.goal("first-export", lasted_s, keys=stranger.keys)
    for name, took in seconds.items():
        report.figure(name, took, "s")
    report.note(
        "A new account, a clip of 11 s with three sentences, one of them corrected, exported with its captions."
    )
    report.note(
        "Each click takes 2.65 s and each key 0.28 s, as in the keystroke-level model for a person who thinks first"
    )
    report.note("and types at an average pace (Card, Moran and Newell, 1980). Dropping the file counts as a click.")
    report.write()


def _journey(stranger: Stranger, clip: Path, result: Path) -> list[tuple[str, float]]:
    """The steps, each with its seconds."""
    page = stranger.page
    took: list[tuple[str, float]] = []
    since = time.monotonic()

    def done(step: str) -> None:
        nonlocal since
        stranger.look(step)
        took.append((step, time.monotonic() - since))
        since = time.monotonic()

    page.goto("/")
    stranger.click(page.get_by_role("link", name="Create an account").first)
    stranger.click(page.locator("input[name=name]"))
    # The eye that shows a password stands between the two.
    for text, tabs in (("Ada", 1), ("ada@example.com", 1), ("correct horse battery", 2), ("correct horse battery", 0)):
        stranger.write(text)
        for _ in range(tabs):
            stranger.press("Tab")
    done("what is asked")
    stranger.click(page.get_by_role("button", name="Create account"))
    page.wait_for_url("**/dashboard")
    done("account")
    stranger.drop(page.get_by_test_id("upload-input"), clip)
    page.wait_for_url("**/captions/processing/*")
    expect(page.get_by_test_id("live-line").first).to_be_visible(timeout=WORK_MS)
    done("first lines")
    expect(page.get_by_test_id("status")).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    stranger.click(page.get_by_test_id("open-captions"))
    last = page.get_by_test_id("caption-line").last.locator("textarea")
    expect(last).to_be_visible(timeout=WORK_MS)
    done("editor")
    stranger.click(last)
    stranger.press("Control+a")
    stranger.write(CORRECTION)
    expect(page.get_by_test_id("save-state")).to_have_text("All changes saved", timeout=WORK_MS)
    done("correction")
    stranger.click(page.get_by_test_id("open-export"))
    done("export check")
    stranger.click(page.get_by_test_id("start-export"))
    download = page.get_by_test_id("export").get_by_role("link", name="Download")
    expect(download).to_be_visible(timeout=WORK_MS)
    with page.expect_download() as file:
        stranger.click(download)
    file.value.save_as(result)
    done("exported")
    return took
