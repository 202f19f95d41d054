"""A page at 400 % and 200 %, with the widest spacing of text, by small targets, without colours and without motion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page

_LOOK = Path(__file__).with_suffix(".js").read_text()

AT_400_PERCENT = (320, 568)
"""A window of 1280 pixels at 400 % is 320 CSS pixels wide: WCAG 1.4.10."""
AT_200_PERCENT = (640, 480)
TARGET_PX = 24
"""WCAG 2.5.8."""

_SPACING = """
* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }
"""
"""What WCAG 1.4.12 says that a page must bear."""

_SPREAD = """css => {
  window.__spread = new CSSStyleSheet();
  window.__spread.replaceSync(css);
  document.adoptedStyleSheets.push(window.__spread);
}"""
_TOGETHER = """() => {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter(one => one !== window.__spread);
}"""

# What is chosen, pressed or current differs from its neighbours in more than colours, which are the system's here.
_WITHOUT_COLOURS = """() => {
  const CHOSEN = "[aria-pressed=true], [role=tab][aria-selected=true], nav a[aria-current=page]";
  const LOOK = ["outlineStyle", "borderTopStyle", "borderBottomStyle", "borderTopWidth", "borderBottomWidth",
    "textDecorationLine", "fontWeight", "forcedColorAdjust", "backgroundColor", "color"];
  const drawn = one => LOOK.map(property => getComputedStyle(one)[property]).join()
    + getComputedStyle(one, "::after").transform + getComputedStyle(one, "::before").opacity
    + getComputedStyle(one, "::after").backgroundColor;
  return [...document.querySelectorAll(CHOSEN)].filter(one => one.checkVisibility()).flatMap(one => {
    const others = [...one.parentElement.children].filter(each => each !== one && each.tagName === one.tagName);
    const alike = others.length > 0 && others.every(each => drawn(each) === drawn(one));
    return alike ? [`without colours it looks like the others: "${one.innerText || one.ariaLabel}"`] : [];
  });
}"""


def reflow_faults(page: Page) -> list[str]:
    """What is cut off, lies beside the window, is too small for a finger or keeps moving; a fault names its setting."""
    before = page.viewport_size
    assert before is not None
    page.evaluate(_SPREAD, _SPACING)
    faults: list[str] = [f"spaced text: {fault}" for fault in _faults(page, target=0)]
    page.evaluate(_TOGETHER)
    for name, size in {"400 %": AT_400_PERCENT, "200 %": AT_200_PERCENT}.items():
        page.set_viewport_size({"width": size[0], "height": size[1]})
        faults += [f"{name}: {fault}" for fault in _faults(page, target=TARGET_PX)]
    page.set_viewport_size(before)
    with _system_colours(page):
        faults += page.evaluate(_WITHOUT_COLOURS)
    return faults


def _faults(page: Page, *, target: int) -> list[str]:
    # Media queries and observers of sizes come to rest within two frames.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found: list[str] = page.evaluate(_LOOK, {"target": target})
    return found


@contextmanager
def _system_colours(page: Page) -> Iterator[None]:
    page.emulate_media(forced_colors="active")
    yield
    page.emulate_media(forced_colors="none")
