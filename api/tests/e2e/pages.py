"""A browser's page that fails its test when the page reports an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page


@contextmanager
def watched_page(chromium: Browser, base_url: str, *, cookies: Path | None = None) -> Iterator[Page]:
    """A page of a new browser profile, signed in by `cookies` if given."""
    context = chromium.new_context(base_url=base_url, viewport={"width": 1360, "height": 860}, storage_state=cookies)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    context.close()
    assert problems == []
