"""The editor as a person at the keyboard uses it."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

PLACES = {
    "edit": ("find", "timing", "reference", "rerun"),
    "check": ("quality", "review", "spelling", "ai"),
    "speakers": ("speakers",),
    "style": ("style",),
    "versions": ("history", "notes"),
}
"""The places of the rail with their tools."""


def open_tool(page: Page, tool: str) -> None:
    """Open a tool as people do: its place on the rail, then its tab."""
    place, tools = next((place, tools) for place, tools in PLACES.items() if tool in tools)
    button = page.get_by_test_id(f"rail-{place}")
    if button.get_attribute("aria-expanded") != "true":
        button.click()
    if len(tools) > 1:
        page.get_by_test_id(f"tool-{tool}").click()


class EditorPage:
    """`pause_ms` is the time between two letters."""

    def __init__(self, page: Page, slug: str, pause_ms: int = 0) -> None:
        self.page = page
        self.slug = slug
        self.pause_ms = pause_ms

    def open(self) -> EditorPage:
        """Go to the file and wait for all of its lines; the first ones come before the others."""
        self.page.goto(f"/captions/{self.slug}")
        expect(self.page.get_by_test_id("caption-line").first).to_be_visible()
        expect(self.page.locator("[role=list][aria-busy]")).to_have_attribute("aria-busy", "false")
        return self

    @property
    def texts(self) -> list[str]:
        """The texts of the boxes, top to bottom."""
        boxes = "rows => rows.sort((a, b) => a.offsetTop - b.offsetTop || a.dataset.index - b.dataset.index)"
        found: list[str] = self.page.locator("[data-index]").evaluate_all(
            f"rows => ({boxes})(rows).map(row => row.querySelector('textarea')?.value ?? '')"
        )
        return found

    def go_into(self, line: int, caret: int) -> None:
        box = self.page.get_by_test_id("caption-line").nth(line).locator("textarea")
        box.focus()
        box.evaluate("(box, at) => box.setSelectionRange(at, at)", caret)

    def type(self, text: str) -> None:
        self.page.keyboard.type(text, delay=self.pause_ms)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def hold(self, key: str, repeats: int) -> None:
        """Press a key and let the keyboard repeat it."""
        for _ in range(repeats):
            self.page.keyboard.down(key)
        self.page.keyboard.up(key)

    @property
    def focus(self) -> str:
        """Where the focus is: `line N`, `text N` or the name of an element."""
        found: str = self.page.evaluate(
            """() => {
                const at = document.activeElement;
                const row = at.closest('[data-index]');
                if (row === null) return at.tagName;
                const index = Number(row.dataset.index);
                const kind = at.tagName === 'TEXTAREA' ? 'text' : at.matches('[data-line]') ? 'line' : at.tagName;
                return `${kind} ${index}`;
            }"""
        )
        return found

    def wait_until_saved(self) -> None:
        expect(self.page.get_by_test_id("save-state")).to_have_attribute("data-state", "saved")


class TranslationPage(EditorPage):
    """The same page with a translation beside its original."""

    def __init__(self, page: Page, slug: str, language: str) -> None:
        super().__init__(page, slug)
        self.language = language

    def open(self) -> TranslationPage:
        self.page.goto(f"/captions/{self.slug}?language={self.language}")
        expect(self.page.get_by_test_id("source").first).to_be_visible()
        return self

    def choose(self, label: str) -> None:
        """Switch to another language and wait for its captions."""
        self.switch.click()
        self.page.get_by_role("menuitem", name=label).first.click()
        expect(self.switch).to_have_text(label)
        expect(self.page.get_by_test_id("caption-line").first).to_be_visible()

    @property
    def switch(self) -> Locator:
        return self.page.get_by_test_id("language-switch")

    @property
    def state(self) -> Locator:
        return self.page.get_by_test_id("translation-state")

    @property
    def gaps(self) -> Locator:
        """Rows of source lines without a translation."""
        return self.page.get_by_test_id("gap")
