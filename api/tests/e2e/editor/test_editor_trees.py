"""What a screen reader meets in the states of the editor, what axe finds there, and that the console stays empty."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileStatus
from api.testing.files.transcribed import chunk, finish, keep_chunk, result, transcribing_file
from api.testing.in_browser.axe import violations
from api.testing.in_browser.editor_page import EditorPage, open_tool
from api.testing.in_browser.pages import message_watch, wait_until
from api.testing.in_browser.trees import differs_from_stored
from api.testing.sites.files import write
from api.testing.sites.site import Person, Site
from api.tests.e2e.test_routes import OFTEN_WAITING

TREES = Path(__file__).parent / "trees"
OF_MENUS = ("region", "aria-required-children")
"""A menu stands beside the landmarks, and Mantine's holds an element that takes the first focus."""
PANELS = ["find", "quality", "speakers", "review", "spelling", "ai", "style", "timing", "notes", "history", "rerun"]


@pytest.fixture
def quiet(chromium: Browser, site: Site, grace: Person) -> Iterator[Page]:
    """Grace's browser without motion; any message in its console fails the test."""
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


async def _fail(session: AsyncSession, file_id: uuid.UUID) -> None:
    file = await session.get_one(File, file_id)
    file.status, file.error = FileStatus.FAILED, "The sound could not be decoded."


def _faults(part: Locator, name: str, slug: str) -> list[str]:
    differs = differs_from_stored(part, TREES / f"{name}.yml", without=slug)
    return ([] if differs is None else [differs]) + [f"{name}: {fault}" for fault in violations(part.page)]


@pytest.mark.parametrize("panels", [PANELS[:3], pytest.param(PANELS[3:], marks=pytest.mark.long)], ids=["few", "rest"])
def test_every_panel_of_the_editor(quiet: Page, site: Site, grace: Person, panels: list[str]) -> None:
    EditorPage(quiet, site.file(grace.user_id)).open()
    faults: list[str] = []
    for name in panels:
        open_tool(quiet, name)
        panel = quiet.get_by_test_id(f"panel-{name}")
        expect(panel).to_be_visible()
        expect(quiet.get_by_role("menu")).to_have_count(0)
        quiet.wait_for_load_state("networkidle")
        expect(panel.get_by_text(OFTEN_WAITING[0])).to_have_count(0)
        faults += [f"{name}: {fault}" for fault in violations(quiet)]
    assert faults == []


@pytest.mark.long
def test_the_menus_and_dialogs_of_the_editor(quiet: Page, site: Site, grace: Person) -> None:
    EditorPage(quiet, site.file(grace.user_id)).open()
    faults: list[str] = []
    for opener, role in {
        "Actions for line 2": "menu",
        "Import and download": "menu",
        "Language of the captions": "menu",
        "Export": "dialog",
        "Keyboard shortcuts": "dialog",
        "Translate": "dialog",
    }.items():
        button = quiet.get_by_role("button", name=opener).first
        button.press("Enter")
        expect(quiet.get_by_role("menu" if role == "menu" else "dialog")).to_be_visible()
        quiet.wait_for_load_state("networkidle")
        if opener == "Export":
            # Grey until the choices of this file have arrived.
            expect(quiet.get_by_test_id("start-export")).to_be_enabled()
        faults += [f"{opener}: {fault}" for fault in violations(quiet) if not fault.startswith(OF_MENUS)]
        quiet.keyboard.press("Escape")
        expect(quiet.get_by_role("menu" if role == "menu" else "dialog")).to_have_count(0)
        # A dialog gives the focus back when it has faded.
        wait_until(quiet, "() => document.activeElement !== document.body")
    assert faults == []


@pytest.mark.long
def test_the_states_of_the_editor(quiet: Page, site: Site, grace: Person) -> None:
    faults: list[str] = []
    lines = quiet.get_by_role("list", name="Caption lines")
    main = quiet.get_by_role("main")

    slug = site.file(grace.user_id)
    EditorPage(quiet, slug).open()
    quiet.wait_for_load_state("networkidle")
    faults += _faults(lines, "ready", slug)
    quiet.get_by_role("button", name="Go to line 2").press("Enter")
    faults += _faults(lines, "selected", slug)

    live, job = site.call(transcribing_file(site.state, grace.user_id))
    site.call(keep_chunk(site.state, job, chunk(0, "The harbour is closed today.")))
    EditorPage(quiet, live.slug).open()
    quiet.wait_for_load_state("networkidle")
    faults += _faults(lines, "live", live.slug)

    empty, job = site.call(transcribing_file(site.state, grace.user_id))
    site.call(finish(site.state, job, result()))
    quiet.goto(f"/captions/{empty.slug}")
    expect(quiet.get_by_role("button", name="Add a line")).to_be_visible()
    quiet.wait_for_load_state("networkidle")
    faults += _faults(main, "empty", empty.slug)

    failed, _job = site.call(transcribing_file(site.state, grace.user_id))
    write(site, lambda session: _fail(session, failed.id))
    quiet.goto(f"/captions/{failed.slug}")
    expect(main.get_by_role("alert").first).to_be_visible()
    quiet.wait_for_load_state("networkidle")
    faults += _faults(main.get_by_role("alert").first, "failed", failed.slug)

    quiet.route("**/api/files/captions/**", lambda route: None)
    quiet.goto(f"/captions/{slug}")
    expect(main.get_by_role("status").first).to_be_visible()
    differs = differs_from_stored(main, TREES / "loading.yml", without=slug)
    assert differs is None, differs
    assert faults == []
