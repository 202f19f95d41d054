"""The AI text panel beside the video: write, read with times that play, check, edit, bring back, delete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from api.content.ai_texts.models import AiText
from api.content.ai_texts.transitions import OPEN
from api.platform.http.state import AppState
from api.testing.files.ai_texts import SELECTOR, WRITER, finish, install, job_of, keep_block, progress, result_of, start
from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site


async def begin(state: AppState) -> None:
    """Let the texts that wait be half written."""
    for text_id in await waiting(state):
        job = await start(state, await job_of(state, text_id))
        await keep_block(state, job, 0, result_of(job).blocks[1])
        await progress(state, job, 40)


async def end(state: AppState) -> None:
    for text_id in await waiting(state):
        job = await job_of(state, text_id)
        await finish(state, job, result_of(job))


async def waiting(state: AppState) -> list[str]:
    async with state.database.read() as session:
        return [str(text_id) for text_id in await session.scalars(select(AiText.id).where(AiText.status.in_(OPEN)))]


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="AI text")


def write_minutes(page: Page, site: Site, slug: str) -> None:
    """Have minutes written as a person does, by an engine that the test stands in for."""
    page.goto(f"/captions/{slug}?panel=text")
    page.get_by_test_id("write-texts").click()
    expect(page.get_by_role("tab", name=re.compile("Minutes, English"))).to_contain_text("queued")
    site.call(end(site.state))
    page.reload()
    expect(page.get_by_role("heading", name="Harbour meeting")).to_be_visible()


@pytest.mark.long
def test_a_text_is_requested_appears_as_it_is_written_and_can_be_cancelled(
    desk: Page, site: Site, grace: Person
) -> None:
    site.call(install(site.state, SELECTOR))
    EditorPage(desk, site.file(grace.user_id)).open()
    desk.get_by_test_id("rail-text").click()
    form = panel(desk)
    expect(form).to_contain_text("No language model is loaded")
    expect(form.get_by_role("checkbox", name="Minutes")).to_be_checked()
    form.get_by_role("checkbox", name="Short summary").check()
    form.get_by_role("button", name="Write 2 texts").click()
    expect(desk.get_by_role("tab")).to_have_count(2)
    site.call(begin(site.state))
    desk.reload()
    shown = desk.get_by_test_id("ai-blocks")
    expect(shown).to_contain_text("The harbour is closed.")
    expect(panel(desk).get_by_role("progressbar")).to_have_attribute("aria-valuenow", "40")
    panel(desk).get_by_role("button", name="Cancel").click()
    expect(panel(desk)).to_contain_text("You cancelled this text.")
    panel(desk).get_by_role("button", name="Continue").click()
    expect(desk.get_by_role("tab").first).to_contain_text("queued")


@pytest.mark.long
def test_every_claim_leads_to_its_moment_and_doubts_are_marked(desk: Page, site: Site, grace: Person) -> None:
    site.call(install(site.state, WRITER))
    write_minutes(desk, site, site.file(grace.user_id))
    unsupported = desk.locator("[data-unsupported]")
    expect(unsupported).to_have_count(1)
    expect(unsupported).to_contain_text("Not found in the captions")
    expect(panel(desk)).to_contain_text("Anna")
    expect(panel(desk).get_by_role("img", name="The text cites 1 of 1 minute with speech")).to_be_visible()
    chip = panel(desk).get_by_role("button", name="Play from 0:11: Ask again tomorrow morning.")
    chip.focus()
    desk.keyboard.press("Enter")
    expect(desk.get_by_role("group", name="Playback").locator("strong")).to_have_text(re.compile("^0:11"))


@pytest.mark.long
def test_a_changed_caption_marks_what_cites_it(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    write_minutes(desk, site, slug)
    panel(desk).get_by_role("button", name="Back to the captions").click()
    line = desk.get_by_test_id("caption-line").nth(2).locator("textarea")
    line.fill("Ask again on Friday.")
    line.blur()
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")
    desk.get_by_test_id("rail-text").click()
    expect(desk.get_by_test_id("stale")).to_contain_text("One part of this text cites captions that have changed")
    desk.get_by_text("The captions changed", exact=True).click()
    expect(panel(desk).locator("del")).to_have_text("Ask again tomorrow morning.")
    expect(panel(desk).locator("ins")).to_have_text("Ask again on Friday.")
    desk.get_by_role("button", name="Undo", exact=True).click()
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")
    expect(desk.get_by_test_id("stale")).to_have_count(0)
    expect(desk.get_by_role("heading", name="Harbour meeting")).to_be_visible()


@pytest.mark.long
def test_a_text_is_edited_brought_back_downloaded_and_deleted(
    desk: Page, site: Site, grace: Person, tmp_path: Path
) -> None:
    write_minutes(desk, site, site.file(grace.user_id))
    panel(desk).get_by_role("button", name="Edit", exact=True).click()
    box = desk.get_by_test_id("edit-text")
    box.fill(box.input_value().replace("It opens in May.", "It opens on Friday."))
    desk.reload()
    expect(desk.get_by_test_id("edit-text")).to_have_value(re.compile("opens on Friday"))
    panel(desk).get_by_role("button", name="Save").click()
    expect(desk.get_by_test_id("ai-blocks")).to_contain_text("It opens on Friday.")
    expect(panel(desk)).to_contain_text("Typed by a person")
    with desk.expect_download() as download:
        panel(desk).get_by_role("button", name="Download the text").click()
        desk.get_by_role("menuitem", name="Plain text").click()
    download.value.save_as(tmp_path / "text.txt")
    assert "It opens on Friday." in (tmp_path / "text.txt").read_text()
    panel(desk).get_by_role("button", name="More for Minutes").click()
    desk.get_by_role("menuitem", name="History").click()
    versions = desk.get_by_test_id("version")
    expect(versions).to_have_count(2)
    expect(versions.first).to_contain_text("Edited by Grace")
    versions.last.get_by_role("button", name="Show").click()
    expect(versions.last).to_contain_text("It opens in May.")
    versions.last.get_by_role("button", name="Bring back").click()
    expect(desk.get_by_test_id("ai-blocks")).to_contain_text("It opens in May.")
    panel(desk).get_by_role("button", name="More for Minutes").click()
    desk.get_by_role("menuitem", name="Delete").click()
    desk.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(panel(desk)).to_contain_text("Turn the captions into a text")


@pytest.mark.long
def test_the_panel_fits_a_phone(desk: Page, site: Site, grace: Person) -> None:
    write_minutes(desk, site, site.file(grace.user_id))
    desk.set_viewport_size({"width": 360, "height": 740})
    expect(desk.get_by_role("heading", name="Harbour meeting")).to_be_visible()
    assert desk.evaluate("document.documentElement.scrollWidth") <= 360
    assert panel(desk).evaluate("panel => panel.scrollWidth <= panel.clientWidth")
