"""Faults of accessibility that axe-core finds on a page."""

from __future__ import annotations

from playwright.sync_api import Page

from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.pages import wait_until

_AXE = PROJECT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
_RUN = """() => axe.run(document, {
  resultTypes: ["violations"],
  // Initials in a circle and the picture of a 404 are pictures, not labels.
  rules: {"label-content-name-mismatch": {enabled: false}},
})"""

_AT_REST = """() => Promise.all(
  document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished.catch(() => undefined)),
)"""
"""Colours halfway between two states have no contrast that counts."""
_NOT_AT_WORK = "() => document.querySelector('[data-loading]') === null"
"""Axe reads the colours of a button before it asks whether it is disabled: work must not end in between."""


def violations(page: Page) -> list[str]:
    """What axe-core finds, by rule and element. `evaluate` is not subject to the page's content security policy."""
    page.evaluate(_AXE.read_text())
    wait_until(page, _NOT_AT_WORK)
    page.evaluate(_AT_REST)
    found = page.evaluate(_RUN)["violations"]
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]
