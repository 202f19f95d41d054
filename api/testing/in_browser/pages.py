"""Pages in a browser, and what a person does first on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, TimeoutError

from api.testing.browser import PASSWORD

CLIPS = ["en1-rms", "en4-slt", "en2-rms"]
WORK_MS = 180_000
_LOOK_EVERY_MS = 50


@contextmanager
def watched_page(
    chromium: Browser,
    base_url: str,
    *,
    cookies: Path | None = None,
    with_worker: bool = False,
    with_motion: bool = False,
) -> Iterator[Page]:
    """Open a page in a new browser profile, signed in by `cookies` if given. An error on the page fails the test.

    With `with_worker` the pages may run their service worker; requests that it answers pass by `page.route`.
    Animations run only `with_motion`: without a graphics card each picture of a spinner or a bar costs processor time.
    """
    context = chromium.new_context(
        base_url=base_url,
        viewport={"width": 1360, "height": 860},
        storage_state=cookies,
        service_workers="allow" if with_worker else "block",
        reduced_motion="no-preference" if with_motion else "reduce",
    )
    # On a busy machine an action, too, waits longer than Playwright's 30 s for the page to come.
    context.set_default_timeout(WORK_MS)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []


def wait_until(page: Page, script: str, arg: Any = None, *, timeout_ms: int = WORK_MS) -> None:
    """Wait until an expression or a function of the page is true. Raises Playwright's `TimeoutError` if it never is.

    The pages' policy forbids `eval`, which Playwright's own `wait_for_function` uses from its second look on.
    """
    end = monotonic() + timeout_ms / 1000
    while not page.evaluate(script, arg):
        if monotonic() > end:
            raise TimeoutError(f"Never true within {timeout_ms} ms: {script}")
        page.wait_for_timeout(_LOOK_EVERY_MS)


def file_status(page: Page) -> Locator:
    """The status at the head of a file's page. Until that page is there, a list may show it too."""
    return page.locator("main header").get_by_test_id("status")


def message_watch(page: Page) -> list[str]:
    """A list that grows by each error and warning of the page's console, and each error that nobody catches."""
    messages: list[str] = []

    def note(line: ConsoleMessage) -> None:
        # Playwright itself writes that it blocks the service worker of pages whose requests a test answers.
        if line.type in ("error", "warning") and "blocked by Playwright" not in line.text:
            messages.append(line.text)

    page.on("console", note)
    page.on("pageerror", lambda error: messages.append(str(error)))
    return messages


def register(page: Page, name: str) -> str:
    """The new account's address, which is another each time, so that a test can run again in the same installation."""
    email = f"{name.lower()}.{uuid4().hex[:8]}@example.com"
    page.goto("/")
    page.get_by_role("link", name="Create an account").click()
    page.wait_for_url("**/register")
    page.locator("input[name=name]").fill(name)
    page.locator("input[name=email]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password_confirmation]").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/dashboard")
    return email


def choose_language(page: Page, label: str) -> None:
    language = page.get_by_role("combobox", name="Spoken language").or_(page.get_by_label("Spoken language")).first
    language.click()
    page.get_by_role("option", name=label, exact=True).click()


def upload(page: Page, path: Path) -> None:
    page.locator("input[type=file]").first.set_input_files(str(path))


def uploaded(page: Page, path: Path) -> str:
    """Upload one file from the page of the files, which leads to its live view. Returns the file's slug."""
    upload(page, path)
    page.wait_for_url("**/captions/processing/*", timeout=WORK_MS)
    # The address changes before the page does.
    page.get_by_test_id("open-captions").wait_for()
    return page.url.rpartition("/")[2]
