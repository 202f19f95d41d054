"""`python -m benchmarks contact-sheet`: pictures of the main screens from phones to 4K, in both themes, to look at."""

from __future__ import annotations

import re
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from playwright.sync_api import Browser, Page

from api.testing.admins import promote
from api.testing.sites.site import Site, running_site
from benchmarks.goals.chromium import PAGES, headless_chromium
from benchmarks.goals.contact_sheet import filling
from benchmarks.goals.contact_sheet.paying import paying_site
from benchmarks.goals.contact_sheet.screens import SCREENS, WITHIN_MS, Screen, Whose
from benchmarks.goals.contact_sheet.sheet import write_sheet

HEIGHTS = {360: 740, 768: 1024, 1440: 900, 3840: 2160}
COLUMNS = {360: 5, 768: 3, 1440: 2, 3840: 2}
ROWS = 2
ICELANDIC_AT = (360, 1440)
_AT_REST_MS = 900
_WAITING = re.compile("Content is being fetched and loaded|Verið er að sækja efni")
_STICKING_OUT = Path(__file__).with_name("sticking_out.js").read_text()
"""Names what is wider than the page, or lies outside of it where nobody can scroll to."""


def command(
    into: Annotated[Path, typer.Option(help="Folder for the pictures and sheets.")] = Path("contact-sheet"),
    width: Annotated[list[int] | None, typer.Option(help="Width of the pages in pixels; by default four.")] = None,
    screen: Annotated[list[str] | None, typer.Option(help="Name of a screen, such as editor-style.")] = None,
) -> None:
    """Take the pictures, print what sticks out of a page, and put the pictures on sheets."""
    chosen = [each for each in SCREENS if screen is None or each.name in screen]
    with (
        tempfile.TemporaryDirectory(prefix="contact-sheet-") as scratch,
        running_site(Path(scratch) / "site", PAGES) as site,
        headless_chromium() as browser,
        ExitStack() as stack,
    ):
        people, slugs = _fill(site, browser, Path(scratch))
        sites: dict[Whose, Site] = dict.fromkeys(people, site)
        if any(each.whose in ("buyer", "payer") for each in chosen):
            bank, payers = stack.enter_context(paying_site(Path(scratch), browser))
            sites |= dict.fromkeys(payers, bank)
            people |= payers
        for wide in width or HEIGHTS:
            looks = [("light", "en"), ("dark", "en"), *([("light", "is")] if wide in ICELANDIC_AT else [])]
            for theme, language in looks:
                for each in set(sites.values()):
                    filling.speak(each, language)
                folder = into / f"{wide}-{theme}-{language}"
                folder.mkdir(parents=True, exist_ok=True)
                taken = [
                    _take(browser, sites[one.whose], people[one.whose], one, slugs, folder, (wide, theme, language))
                    for one in chosen
                ]
                columns = COLUMNS.get(wide, 2)
                for first in range(0, len(taken), columns * ROWS):
                    sheet = into / f"{folder.name}-{first // (columns * ROWS) + 1}.png"
                    write_sheet(taken[first : first + columns * ROWS], sheet, columns)


def _fill(site: Site, browser: Browser, scratch: Path) -> tuple[dict[Whose, Path | None], dict[str, str]]:
    member, admin = scratch / "member.json", scratch / "admin.json"
    user_id = site.sign_up("Helga", member, "helga@example.com")
    site.call(promote(site.state, site.sign_up("Root", admin, "root@example.com")))
    filling.other_files(site, user_id)
    slugs = {"file": filling.interview(site, user_id, scratch), "work": filling.work_in_progress(site, user_id)}
    context = browser.new_context(base_url=site.url, storage_state=member)
    filling.changes_and_notes(context.new_page(), slugs["file"])
    context.close()
    return {"visitor": None, "member": member, "admin": admin}, slugs


def _take(
    browser: Browser,
    site: Site,
    cookies: Path | None,
    screen: Screen,
    slugs: dict[str, str],
    folder: Path,
    look: tuple[int, str, str],
) -> Path:
    wide, theme, language = look
    context = browser.new_context(
        base_url=site.url,
        viewport={"width": wide, "height": HEIGHTS.get(wide, 900)},
        storage_state=cookies,
        color_scheme="dark" if theme == "dark" else "light",
        locale="is-IS" if language == "is" else "en-GB",
        reduced_motion="reduce",
        has_touch=wide < 800,
    )
    page = context.new_page()
    target = folder / f"{screen.name}.png"
    try:
        page.goto(screen.path.format(**slugs))
        page.locator(screen.shown).first.wait_for(timeout=WITHIN_MS)
        if screen.then is not None:
            screen.then(page)
        page.get_by_text(_WAITING).first.wait_for(state="detached", timeout=WITHIN_MS)
        page.wait_for_timeout(_AT_REST_MS)
        page.mouse.move(0, 0)
        page.screenshot(path=target)
        for problem in _sticking_out(page):
            typer.echo(f"{folder.name} {screen.name}: {problem}")
    finally:
        context.close()
    return target


def _sticking_out(page: Page) -> list[str]:
    """What is wider than the page, or lies outside of it."""
    found: list[str] = page.evaluate(_STICKING_OUT)
    return found
