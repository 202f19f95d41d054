"""Through a page with the Tab key alone: what cannot be reached, what hides the focus, where the focus is lost."""

from __future__ import annotations

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from api.testing.in_browser.pages import wait_until

TABS_MAX = 600
_BATCH = 10
"""Stops between two looks at how far the walk is."""

# Rings may be drawn beside or around an element: a hidden radio button shows its focus on its label.
_WALK = """() => {
  const roles = names => names.split(" ").map(name => `[role=${name}]`);
  const INTERACTIVE = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary",
    "[contenteditable=true]", "[tabindex]:not([tabindex='-1'])", "video[controls]", "audio[controls]",
    ...roles("button link checkbox radio switch tab menuitem option combobox textbox slider spinbutton searchbox"),
  ].join();
  // One stop leads into each of these; arrow keys go on from there.
  const COMPOSITE = [
    ...roles("tablist radiogroup grid listbox menu toolbar tree"), "[role=list][tabindex]", "fieldset",
  ].join();
  const LOOK = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "borderColor", "backgroundColor",
    "textDecorationLine", "opacity", "clipPath", "left", "visibility"];
  const visible = one => one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length > 0
    && !one.closest("[inert],[aria-hidden=true]");
  const usable = one => visible(one) && !one.matches(":disabled,[aria-disabled=true]")
    && !one.closest("[data-disabled=true]");
  const name = one => {
    const said = one.getAttribute("aria-label") || one.innerText || one.getAttribute("placeholder") || one.id;
    return `${one.tagName.toLowerCase()} "${String(said).trim().replace(/\\s+/g, " ").slice(0, 60)}"`;
  };
  const around = one => {
    const label = one.labels?.[0];
    const parents = [one.parentElement, one.parentElement?.parentElement];
    const beside = [one.nextElementSibling, one.previousElementSibling];
    return [one, ...beside, ...parents, label].filter(Boolean);
  };
  const look = one => around(one).map(each => {
    const style = getComputedStyle(each);
    return LOOK.map(property => style[property]).join("|");
  }).join("\\n");
  const covered = one => {
    const box = one.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || getComputedStyle(one).opacity === "0") return false;
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return box.bottom <= 0 || box.top >= innerHeight;
    const top = document.elementFromPoint(x, y);
    return top !== null && !one.contains(top) && !top.contains(one) && !one.labels?.[0]?.contains(top);
  };
  const out_of_order = (from, to) => {
    let shared = from;
    while (shared !== null && !shared.contains(to)) shared = shared.parentElement;
    if (shared === null || shared === from || shared === to) return false;
    const branch = leaf => [...shared.children].find(child => child.contains(leaf));
    const [a, b] = [branch(from), branch(to)].map(each => each.getBoundingClientRect());
    if ([a, b].some(box => box.width < 2 || box.height < 2)) return false;
    const above = b.bottom <= a.top + 1 && b.left < a.right - 1;
    const before = b.right <= a.left + 1 && b.top < a.bottom - 1;
    return above || before;
  };
  const state = {reached: new Set(), order: [], faults: [], result: "next"};
  const first = [...document.querySelectorAll(INTERACTIVE)].filter(usable);
  state.step = () => {
    const at = document.activeElement;
    if (state.reached.has(at)) return at === state.order[0] ? "end" : "again";
    if (at.tabIndex > 0) state.faults.push(`tabindex above 0: ${name(at)}`);
    if (covered(at)) state.faults.push(`focus is covered: ${name(at)}`);
    if (state.order.length > 0 && out_of_order(state.order.at(-1), at))
      state.faults.push(`against the layout: ${name(state.order.at(-1))}, then ${name(at)}`);
    state.reached.add(at);
    state.order.push(at);
    if (look(at) === before.get(at)) state.faults.push(`no visible focus: ${name(at)}`);
    return "next";
  };
  state.report = () => {
    const groups = new Set([...state.reached].map(one => one.closest(COMPOSITE)).filter(Boolean));
    const missed = first.filter(one => one.isConnected && usable(one) && !state.reached.has(one)
      && ![...state.reached].some(each => one.contains(each) || (one.matches("[tabindex='-1']") && each.contains(one)))
      && !groups.has(one.closest(COMPOSITE)));
    return [...state.faults, ...missed.map(one => `not reached: ${name(one)}`)];
  };
  document.addEventListener("focusin", () => {
    if (state.result === "next" && document.activeElement !== document.body) state.result = state.step();
  });
  state.names = () => state.order.map(name);
  // In the middle of a transition an element still has its old look.
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important; }");
  document.adoptedStyleSheets.push(still);
  document.activeElement?.blur();
  const before = new Map(first.map(one => [one, look(one)]));
  window.__walk = state;
}"""

# The next Tab then goes to the first stop, whatever had the focus before.
_TO_START = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""


def keyboard_faults(page: Page) -> list[str]:
    """What somebody without a pointer meets on a page, from its first element to its last and one step back."""
    page.evaluate(_WALK)
    page.evaluate(_TO_START)
    for _ in range(TABS_MAX // _BATCH):
        for _ in range(_BATCH):
            page.keyboard.press("Tab")
        result: str = page.evaluate("window.__walk.result")
        if result == "end":
            faults: list[str] = page.evaluate("window.__walk.report()")
            return faults
        if result != "next":
            break
    return [f"the Tab key does not get past {page.evaluate('window.__walk.names()')[-3:]}"]


POPUPS = "[aria-haspopup=menu], [aria-haspopup=dialog]"
# It comes back a moment after the popup is gone, and would otherwise leave what is tried next.
_IS_BACK = "document.activeElement !== document.body && !document.activeElement.closest('[role=menu], [role=dialog]')"
_HAS_FOCUS = "popup => popup.contains(document.activeElement)"


def popup_faults(page: Page) -> list[str]:
    """Open each menu and dialog of a page by Enter and close it by Escape: the focus goes in and comes back."""
    faults: list[str] = []
    triggers = page.locator(POPUPS).filter(visible=True)
    seen: set[str] = set()
    for index in range(triggers.count()):
        trigger = triggers.nth(index)
        name = trigger.get_attribute("aria-label") or trigger.inner_text()
        kind = "".join(letter for letter in name if not letter.isdigit())
        if kind in seen or trigger.is_disabled():
            continue
        seen.add(kind)
        trigger.focus()
        page.keyboard.press("Enter")
        popup = page.locator("[role=menu], [role=dialog]").filter(visible=True).first
        try:
            popup.wait_for()
            wait_until(page, _HAS_FOCUS, popup.element_handle())
        except PlaywrightTimeoutError:
            faults.append(f"the focus does not go into: {name}")
        page.keyboard.press("Escape")
        try:
            popup.wait_for(state="hidden")
            wait_until(page, _IS_BACK)
        except PlaywrightTimeoutError:
            faults.append(f"Escape does not lead back from: {name}")
    return faults


def skip_link_faults(page: Page) -> list[str]:
    """The first stop of a page leads past its menus."""
    page.evaluate(_TO_START)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    leads: bool = page.evaluate("document.activeElement?.closest('main') !== null")
    return [] if leads else ["the first stop does not lead to the content"]
