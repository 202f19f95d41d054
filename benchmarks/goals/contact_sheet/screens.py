"""The screens of a contact sheet, and how somebody comes to each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from playwright.sync_api import Page

from benchmarks.goals.contact_sheet.filling import TRANSLATED_INTO

Whose = Literal["visitor", "member", "admin", "buyer", "payer"]
"""`buyer` and `payer` live where plans are sold; the first has not chosen one yet."""
WITHIN_MS = 60_000
_PANELS = ("quality", "style", "timing", "history", "notes", "find", "review")


@dataclass(frozen=True)
class Screen:
    """`path` may name `{file}` and `{work}`. `shown` is a selector, and `then` what is done before the picture."""

    name: str
    path: str
    shown: str
    whose: Whose = "member"
    then: Callable[[Page], None] | None = None


def _panel(name: str) -> Callable[[Page], None]:
    def open_it(page: Page) -> None:
        page.get_by_test_id("tools").click()
        page.get_by_test_id(f"tool-{name}").click()
        page.get_by_test_id(f"panel-{name}").wait_for(timeout=WITHIN_MS)

    return open_it


def _typing(page: Page) -> None:
    page.get_by_test_id("caption-line").nth(2).locator("textarea").click()


def _export(page: Page) -> None:
    page.get_by_test_id("open-export").click()
    page.get_by_role("dialog").wait_for(timeout=WITHIN_MS)


_LINE = "[data-testid=caption-line]"
SCREENS = (
    Screen("landing", "/", "h1", "visitor"),
    Screen("sign-in", "/login", "input[name=email]", "visitor"),
    Screen("register", "/register", "input[name=email]", "visitor"),
    Screen("dashboard", "/dashboard", "h1"),
    Screen("files", "/captions", "h1"),
    Screen("processing", "/captions/processing/{work}", "[data-testid=live-line]"),
    Screen("editor", "/captions/{file}", _LINE, then=_typing),
    Screen("editor-translation", f"/captions/{{file}}?language={TRANSLATED_INTO}", "[data-testid=source]"),
    *(Screen(f"editor-{name}", "/captions/{file}", _LINE, then=_panel(name)) for name in _PANELS),
    Screen("export", "/captions/{file}", _LINE, then=_export),
    Screen("teams", "/teams", "h1"),
    Screen("settings", "/settings", "h1"),
    Screen("glossary", "/glossary", "h1"),
    Screen("billing-plans", "/onboarding/billing", "h1", "buyer"),
    Screen("billing", "/subscription", "[data-testid=invoice]", "payer"),
    Screen("admin-dashboard", "/admin/dashboard", "h1", "admin"),
    Screen("admin-users", "/admin/users", "h1", "admin"),
)
