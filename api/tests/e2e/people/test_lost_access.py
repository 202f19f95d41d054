"""Captions that somebody may no longer change, that go away or are written anew, while they type in them."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File
from api.people.teams.models import TeamRole
from api.platform.db.base import utc_now
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import send_events, write
from api.testing.sites.site import Site
from api.testing.sites.teams import SharedFile
from pipelines.messages.lines import CaptionLine


class SharedTeamFile(SharedFile):
    """A file of Ada's team, which Bob may look at."""

    def bin(self, *, is_binned: bool) -> None:
        async def change(session: AsyncSession) -> None:
            at = utc_now() if is_binned else None
            await session.execute(update(File).where(File.slug == self.slug).values(deleted_at=at))

        write(self.site, change)

    def transcribe_again(self, *texts: str) -> None:
        async def change(session: AsyncSession) -> None:
            own = select(CaptionTrack).join(File, File.id == CaptionTrack.file_id).where(File.slug == self.slug)
            track = (await session.scalars(own)).one()
            track.revision += 1
            await session.execute(delete(CaptionLineRow).where(CaptionLineRow.track_id == track.id))
            lines = [
                CaptionLine(str(uuid.uuid4()), 60_000 + at * 2_000, 61_000 + at * 2_000, text)
                for at, text in enumerate(texts)
            ]
            await insert_lines(session, track.id, lines, revision=track.revision)

        write(self.site, change)


@pytest.mark.long
def test_what_somebody_writes_survives_a_lost_role_the_bin_and_another_transcription(
    chromium: Browser, site: Site, tmp_path: Path
) -> None:
    cookies = {name: tmp_path / f"{name}.json" for name in ("Ada", "Bob")}
    people = {name: site.sign_up(name, path, f"{name.lower()}.leaves@example.com") for name, path in cookies.items()}
    texts = ("So the men move on", "Nobody knows when", "And then")
    shared = SharedTeamFile(site, people["Ada"], people["Bob"], *texts)
    with watched_page(chromium, site.url, cookies=cookies["Bob"]) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        editor = EditorPage(page, shared.slug).open()
        banner, look_only = page.get_by_test_id("offline"), page.get_by_test_id("look-only")

        # A viewer looks, searches and takes along, and a key that would change something says why not.
        expect(look_only).to_be_visible()
        editor.go_into(0, 18)
        editor.type(" x")
        expect(page.get_by_role("status").filter(has_text="so nothing was changed")).to_be_visible()
        assert editor.texts[0] == "So the men move on"
        expect(page.get_by_role("button", name="Actions for line 1")).to_have_count(0)
        page.get_by_test_id("open-export").click()
        expect(page.get_by_test_id("why-no-export")).to_be_visible()
        expect(page.get_by_test_id("start-export")).to_have_count(0)
        page.keyboard.press("Escape")

        # A new role counts at once, and so does one that is taken away.
        shared.give(TeamRole.EDITOR)
        send_events(site)
        expect(look_only).to_have_count(0)
        editor.go_into(0, 18)
        editor.type(" together")
        editor.wait_until_saved()
        shared.give(TeamRole.VIEWER)
        editor.type(" and away")
        expect(banner).to_have_attribute("data-state", "closed")
        with page.expect_download() as saved:
            banner.get_by_role("button", name="Download my text").click()
        assert "So the men move on together and away" in saved.value.path().read_text()
        editor.type("!")
        assert editor.texts[0] == "So the men move on together and away"
        shared.give(TeamRole.EDITOR)
        send_events(site)
        editor.wait_until_saved()
        assert site.texts(shared.slug)[0] == "So the men move on together and away"

        # In the bin it waits, also after a reload, and is saved once the file is back.
        shared.bin(is_binned=True)
        editor.go_into(1, 17)
        editor.type(" it ends")
        expect(banner).to_have_attribute("data-state", "closed")
        page.reload()
        expect(page.get_by_test_id("left-text")).to_be_visible()
        shared.bin(is_binned=False)
        page.reload()
        editor.wait_until_saved()
        assert site.texts(shared.slug)[1] == "Nobody knows when it ends"

        # Another transcription has other lines: the person decides about the text.
        page.context.set_offline(True)
        editor.go_into(2, 8)
        editor.type(" home")
        expect(banner).to_have_attribute("data-state", "away")
        shared.transcribe_again("Never mind")
        page.context.set_offline(False)
        expect(page.get_by_test_id("conflict-mine")).to_have_text("And then home")
        page.get_by_role("button", name="Add my text as a new line").click()
        editor.wait_until_saved()
        assert site.texts(shared.slug) == ["And then home", "Never mind"]
