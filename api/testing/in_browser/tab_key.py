"""Going to an element as somebody without a pointer does: by the Tab key, until it has the focus."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

TABS_MAX = 120
_HAS_FOCUS = "element => element === document.activeElement"


def tab_to(target: Locator, *, back: bool = False) -> None:
    """Press Tab, or with `back` Shift and Tab, until `target` has the focus. Fails if it is not on the way."""
    expect(target).to_be_visible()
    expect(target).to_be_enabled()
    for _ in range(TABS_MAX):
        if target.evaluate(_HAS_FOCUS):
            return
        target.page.keyboard.press("Shift+Tab" if back else "Tab")
    at = target.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
    raise AssertionError(f"The Tab key does not lead to {target} within {TABS_MAX} stops. It stands at {at}")


def press_on(target: Locator, key: str = "Enter") -> None:
    """Go to `target` by the Tab key and press a key on it."""
    tab_to(target)
    target.page.keyboard.press(key)
