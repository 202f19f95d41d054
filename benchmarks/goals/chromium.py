"""Headless Chromium for measurements and pictures of the pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

PAGES = Path(__file__).parents[2] / "ui" / "dist"
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")


@contextmanager
def headless_chromium() -> Iterator[Browser]:
    """A browser of this machine, which ends with the block. Exits with a sentence where something is missing."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("Chromium is not installed. Install the Debian package chromium.")
    if not (PAGES / "index.html").is_file():
        raise SystemExit("The pages are not built. Run `make ui`.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        yield browser
        browser.close()
