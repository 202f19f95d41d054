"""Faults of accessibility that axe-core finds on a page."""

from __future__ import annotations

from playwright.sync_api import Page

from api.testing.files.spoken_video import PROJECT

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
_CONTROLS = """() => [...document.querySelectorAll("button, input")]
  .map((each) => `${each.disabled} ${each.dataset.loading}`)
  .join()"""
"""Which controls are disabled and at work. Axe reads their colours before it asks whether they are disabled."""


def violations(page: Page) -> list[str]:
    """What axe-core finds, by rule and element. `evaluate` is not subject to the page's content security policy."""
    page.evaluate(_AXE.read_text())
    before, after = None, page.evaluate(_CONTROLS)
    while before != after:
        # Work that ends while axe looks leaves it with colours of one state and the rest of another.
        page.evaluate(_AT_REST)
        before = page.evaluate(_CONTROLS)
        found = page.evaluate(_RUN)["violations"]
        after = page.evaluate(_CONTROLS)
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]
