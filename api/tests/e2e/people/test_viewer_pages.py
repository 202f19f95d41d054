"""Somebody who may only look at a team's file goes through its pages: nothing there is refused, and each says why."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.content.ai_texts import service
from api.content.ai_texts.schemas import WriteTexts
from api.people.auth.viewer import Viewer
from api.people.teams.models import TeamRole
from api.testing.files.ai_texts import WRITER, finish, install, job_of, result_of
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import send_events
from api.testing.sites.site import Site
from api.testing.sites.teams import SharedFile
from pipelines.messages.minutes import TextType

LOOKS = ["Download original", "AI text"]
CHANGES = ["Rename", "Tags…", "Transcribe again", "Translate…", "Share for review…", "Delete"]


async def write_text(site: Site, owner: uuid.UUID, shared: SharedFile) -> None:
    """A text about the file, as its owner requests it and an engine writes it."""
    await install(site.state, WRITER)
    viewer = Viewer(owner, is_admin=False, team_id=None, teams={shared.team_id: TeamRole.OWNER}, is_changing=True)
    async with site.state.database.write() as session:
        _, (text,) = await service.write(session, viewer, shared.slug, WriteTexts(types=[TextType.MINUTES]))
    job = await job_of(site.state, str(text.id))
    await finish(site.state, job, result_of(job))


def open_menu(page: Page) -> Locator:
    page.get_by_role("button", name="More for").first.click()
    return page.get_by_role("menu")


@pytest.mark.long
def test_a_viewer_finds_no_action_that_is_refused(chromium: Browser, site: Site, tmp_path: Path) -> None:
    cookies = {name: tmp_path / f"{name}.json" for name in ("Olga", "Vigo")}
    people = {name: site.sign_up(name, path) for name, path in cookies.items()}
    shared = SharedFile(site, people["Olga"], people["Vigo"])
    site.call(write_text(site, people["Olga"], shared))
    with watched_page(chromium, site.url, cookies=cookies["Vigo"]) as page:
        refused: list[str] = []
        page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
        why = page.get_by_test_id("why-look-only")

        # The card's menu, and what is offered for selected files.
        page.goto("/captions")
        page.get_by_role("combobox", name="Workspace").click()
        page.get_by_role("option", name="Crew").click()
        menu = open_menu(page)
        expect(menu).to_contain_text("You may look at this file, but not change it.")
        expect(menu.get_by_role("menuitem")).to_have_text(LOOKS)
        page.keyboard.press("Escape")
        page.get_by_role("checkbox", name="Select").first.check(force=True)
        selection = page.get_by_test_id("selection")
        expect(selection).to_contain_text("You may look at this file, but not change it.")
        expect(selection.get_by_role("button")).to_have_text(["Captions…", "Clear selection"])

        # The progress page and the texts.
        page.goto(f"/captions/processing/{shared.slug}")
        expect(why).to_be_visible()
        expect(page.get_by_test_id("open-captions")).to_have_text("Open captions")
        expect(page.get_by_test_id("facts").get_by_role("button")).to_have_count(0)
        page.goto(f"/captions/{shared.slug}?panel=text")
        texts = page.get_by_role("region", name="AI text", exact=True)
        expect(texts.get_by_role("heading", name="Harbour meeting")).to_be_visible()
        expect(texts.get_by_test_id("why-look-only")).to_be_visible()
        expect(texts.get_by_role("button", name="New text")).to_have_count(0)
        expect(texts.get_by_role("button", name="Edit")).to_have_count(0)
        texts.get_by_role("button", name="More for").click()
        expect(page.get_by_role("menuitem")).to_have_text(["History"])
        page.get_by_role("menuitem", name="History").click()
        expect(page.get_by_test_id("version")).to_have_count(1)
        page.keyboard.press("Escape")

        # Exports and speakers.
        page.get_by_test_id("open-export").click()
        expect(page.get_by_test_id("why-no-export")).to_be_visible()
        expect(page.get_by_test_id("start-export")).to_have_count(0)
        expect(page.get_by_role("link", name="SRT", exact=True)).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Speakers", exact=True).click()
        speakers = page.get_by_test_id("panel-speakers")
        expect(speakers.get_by_test_id("why-look-only")).to_be_visible()
        expect(speakers.get_by_role("button")).to_have_count(1)

        # Working for the team, there is nothing to add.
        page.goto("/dashboard")
        expect(page.get_by_test_id("dropzone")).to_be_visible()
        page.get_by_role("button", name="Working for").click()
        page.get_by_role("menuitemradio", name="Crew").click()
        expect(why).to_contain_text("You may look at the files of Crew, but not add any.")
        expect(page.get_by_test_id("dropzone")).to_have_count(0)
        page.goto("/projects")
        expect(why).to_contain_text("You may look at the projects of Crew")
        expect(page.get_by_role("button", name="New project")).to_have_count(0)

        # A new role shows at once, also on pages that are open.
        page.goto("/captions")
        expect(page.get_by_test_id("file")).to_be_visible()
        shared.give(TeamRole.EDITOR)
        send_events(site)
        menu = open_menu(page)
        expect(menu.get_by_role("menuitem")).to_have_text([*CHANGES[:2], LOOKS[0], *CHANGES[2:5], LOOKS[1], CHANGES[5]])
        assert refused == []
