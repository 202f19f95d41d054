"""A person who uses the pages for the first time, at a person's pace."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Locator, Page

CLICK_MS = 2_650
"""To think, point and press: 1.35 s, 1.1 s and 0.2 s (Card, Moran and Newell, 1980)."""
KEY_MS = 280
"""A key of an average typist who is no secretary, from the same source."""


class Stranger:
    """Counts what a person does. `pictures` is the folder for pictures of the steps."""

    def __init__(self, page: Page, pictures: Path) -> None:
        self.page = page
        self.clicks = 0
        self.keys = 0
        self._pictures = pictures

    def click(self, target: Locator) -> None:
        self.clicks += 1
        self.page.wait_for_timeout(CLICK_MS)
        target.click()

    def write(self, text: str) -> None:
        self.keys += len(text)
        self.page.keyboard.type(text, delay=KEY_MS)

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.wait_for_timeout(KEY_MS)
        self.page.keyboard.press(key)

    def drop(self, target: Locator, file: Path) -> None:
        """Drag a file from another window: as long as a click, and counted as one."""
        self.clicks += 1
        self.page.wait_for_timeout(CLICK_MS)
        target.set_input_files(str(file))

    def look(self, step: str) -> None:
        """Keep a picture of what is shown."""
        self._pictures.mkdir(parents=True, exist_ok=True)
        name = f"{len(list(self._pictures.iterdir())) + 1} {step}.png"
        self.page.screenshot(path=self._pictures / name)
