"""What axe finds in the dialogs of every part of the product, and that closing one leads back to where one was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.testing.admins import promote
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import message_watch, wait_until
from api.testing.sites.files import write
from api.testing.sites.site import Person, Site

FILE = "Harbour news"
MENU = f"More for {FILE}"
DIALOGS: Sequence[tuple[str, str, tuple[str, ...]]] = [
    ("an upload", "/dashboard", (MENU, "Rename")),
    ("an upload", "/dashboard", (MENU, "Tags…")),
    ("an upload", "/dashboard", (MENU, "Translate…")),
    ("sharing", "/captions", (MENU, "Move to…")),
    ("files", "/captions", ("Find and replace in files",)),
    ("projects", "/projects", ("New project",)),
    ("settings", "/settings?section=data", ("Delete my account",)),
    ("settings", "/settings?section=keys", ("New key",)),
    ("settings", "/settings?section=webhooks", ("Add a webhook",)),
    ("teams", "/teams", ("New team",)),
    ("teams", "/teams", ("Settings", "Delete team")),
    ("admin", "/admin/companies", ("Create company",)),
    ("admin", "/admin/invoices", ("Draft contract invoices",)),
]
"""The part, its page, and the buttons and menu items that lead to the dialog."""
IN_SHORT = ("Rename", "Tags…", "Delete team", "Create company")
SHORT = [each for each in DIALOGS if each[2][-1] in IN_SHORT]
LONG = [each for each in DIALOGS if each not in SHORT]


@pytest.fixture
def root(chromium: Browser, site: Site, grace: Person) -> Iterator[Page]:
    """An administrator with a file and a team. Any message in the console fails the test."""
    site.call(promote(site.state, grace.user_id))
    slug = site.file(grace.user_id, "The harbour is closed today.")

    async def rename(session: AsyncSession) -> None:
        (await session.scalars(select(File).where(File.slug == slug))).one().name = FILE

    write(site, rename)
    context = chromium.new_context(
        base_url=site.url,
        viewport={"width": 1360, "height": 860},
        storage_state=grace.cookies,
        reduced_motion="reduce",
    )
    page = context.new_page()
    messages = message_watch(page)
    yield page
    context.close()
    assert messages == []


def _opened(page: Page, names: Sequence[str]) -> None:
    for name in names:
        one = page.get_by_role("menuitem", name=name).or_(page.get_by_role("button", name=name, exact=True))
        one = one.or_(page.get_by_role("tab", name=name)).first
        expect(one).to_be_enabled()
        one.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("dialogs", [SHORT, pytest.param(LONG, marks=pytest.mark.long)], ids=["short", "long"])
def test_the_dialogs_of_every_part(root: Page, dialogs: Sequence[tuple[str, str, tuple[str, ...]]]) -> None:
    root.goto("/teams")
    _opened(root, ["Create a team"])
    faults = [f"first team: {fault}" for fault in violations(root)]
    root.get_by_role("dialog").get_by_label("Name").fill("Night desk")
    root.keyboard.press("Enter")
    expect(root.get_by_role("heading", name="Night desk")).to_be_visible()

    # Whoever makes a team works for it at once.
    root.goto("/dashboard")
    root.get_by_role("button", name="Personal", exact=True).click()
    here = "/dashboard"
    for part, path, names in dialogs:
        if path != here:
            root.goto(path)
            here = path
        _opened(root, names)
        faults += [f"{part}, {names[-1]}: {fault}" for fault in violations(root)]
        root.keyboard.press("Escape")
        expect(root.get_by_role("dialog")).to_have_count(0)
        wait_until(root, "() => document.activeElement !== document.body")
    assert faults == [], "\n".join(faults)


@pytest.mark.long
def test_the_captions_of_many_files(root: Page) -> None:
    root.goto("/captions")
    root.get_by_role("checkbox", name=f"Select {FILE}").first.press("Space")
    _opened(root, ["Captions…"])
    assert violations(root) == []
