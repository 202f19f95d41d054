"""Headless Chromium for measurements and pictures of the pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from api.testing.in_browser.chromium import ARGUMENTS, PROGRAMS

PAGES = Path(__file__).parents[2] / "ui" / "dist"


@contextmanager
def headless_chromium() -> Iterator[Browser]:
    """A browser of this machine, which ends with the block. Exits with a sentence where something is missing."""
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        raise SystemExit("Chromium is not installed. Install the Debian package chromium-headless-shell or chromium.")
    if not (PAGES / "index.html").is_file():
        raise SystemExit("The pages are not built. Run `make ui`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()
