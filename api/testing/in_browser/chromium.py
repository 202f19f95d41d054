"""The system's Chromium, without a window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that is installed draws the pages. The shell has the same engine without the windows, tabs and profiles of
a whole browser: a page costs 1.5 instead of 3.8 core-seconds."""
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def chromium_program() -> str:
    """The path of the installed browser. Skips the test where there is none."""
    program = next((path for name in PROGRAMS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("Chromium is not installed, so nothing was clicked.")
    return program


@contextmanager
def running_chromium(microphone: Path | None = None) -> Iterator[Browser]:
    """Run Chromium until the block ends. While it runs, no event loop can start in this thread.

    `microphone` is a WAV that its microphone hears again and again.
    """
    arguments = list(ARGUMENTS)
    if microphone is not None:
        arguments += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        arguments.append(f"--use-file-for-fake-audio-capture={microphone}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=arguments)
        yield browser
        browser.close()
