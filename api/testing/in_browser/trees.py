"""Accessibility trees of parts of a page, compared with stored ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Locator

WRITE = "SAGASCRIPT_WRITE_TREES"
"""Set, the trees are stored instead of compared: after a change that one has looked at."""

_TRIES = 50
_PAUSE_MS = 200
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}(:\d{2})?( [AP]M)?\b(?![,.]\d)")
_DATE = re.compile(r"\b\w{3} \d{1,2}, \d{4}\b")


def differs_from_stored(part: Locator, stored: Path, *, without: str = "") -> str | None:
    """None once the tree of `part` is the stored one; else what differs. `without` is the slug, always new."""
    tree = ""
    for _ in range(1 if WRITE in os.environ else _TRIES):
        tree = _stable(part.aria_snapshot(), without)
        if WRITE in os.environ:
            stored.parent.mkdir(exist_ok=True)
            stored.write_text(tree)
        if stored.is_file() and stored.read_text() == tree:
            return None
        part.page.wait_for_timeout(_PAUSE_MS)
    old = stored.read_text().splitlines() if stored.is_file() else []
    new = tree.splitlines()
    gone = [f"- {line.strip()}" for line in old if line not in new]
    come = [f"+ {line.strip()}" for line in new if line not in old]
    return f"{stored.name}: {gone + come or 'another order'}. With {WRITE}=1 the new tree is stored."


def _stable(tree: str, without: str) -> str:
    named = tree.replace(without, "{slug}") if without else tree
    return _DATE.sub("{date}", _CLOCK.sub("{clock}", named)) + "\n"
