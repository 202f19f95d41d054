"""The rules of a team in a browser: the owner sets them, a member reads them, a card says when its file goes."""

from __future__ import annotations

import zipfile
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import write
from api.testing.sites.site import Site


@pytest.mark.long
def test_rules_are_set_read_and_shown(site: Site, chromium: Browser, tmp_path: Path) -> None:
    cookies, theirs = tmp_path / "olga.json", tmp_path / "una.json"
    olga = site.sign_up(f"Olga{uuid4().hex[:6]}", cookies)
    una = site.sign_up(f"Una{uuid4().hex[:6]}", theirs)
    team_id = uuid4()
    slug = site.file(olga, "The harbour is closed.")

    async def make(session: AsyncSession) -> None:
        session.add(Team(id=team_id, name="Archive"))
        await session.flush()
        session.add(Membership(team_id=team_id, user_id=olga, role=TeamRole.OWNER))
        session.add(Membership(team_id=team_id, user_id=una, role=TeamRole.EDITOR))
        await session.execute(update(File).where(File.slug == slug).values(team_id=UUID(str(team_id))))

    write(site, make)
    with watched_page(chromium, site.url, cookies=cookies) as page:
        page.goto(f"/teams?team={team_id}")
        page.get_by_role("tab", name="Settings").click()
        page.get_by_label("Members sign in again after (hours)").fill("12")
        page.get_by_role("combobox", name="Domains whose people may join").fill("@Example.com")
        page.keyboard.press("Enter")
        page.get_by_label("Files go to the bin after (days)").fill("7")
        page.get_by_role("button", name="Save rules").click()
        question = page.get_by_role("dialog", name="Keep files for 7 days only?")
        expect(question).to_be_visible()
        question.get_by_role("button", name="Save rules").click()
        expect(page.get_by_text("Saved")).to_be_visible()
        expect(question).to_have_count(0)
        expect(page.get_by_role("button", name="Save rules")).to_be_disabled()
        assert violations(page) == []
        with page.expect_download() as download:
            page.get_by_role("link", name="Download a copy").click()
        with zipfile.ZipFile(download.value.path()) as copy:
            assert "team.json" in copy.namelist()
        page.get_by_role("tab", name="Account log").click()
        with page.expect_download() as table:
            page.get_by_role("link", name="Download as CSV").click()
        assert "Downloaded a copy of what the team has" in table.value.path().read_text("utf-8-sig")
        page.get_by_role("button", name="Work for this team").click()
        expect(page.get_by_role("button", name="Working for: Archive")).to_be_visible()
        page.goto("/dashboard")
        expect(page.get_by_test_id("bins-on")).to_contain_text("To the bin on")
    with watched_page(chromium, site.url, cookies=theirs) as page:
        page.goto(f"/teams?team={team_id}")
        page.get_by_role("tab", name="Settings").click()
        rules = page.get_by_role("region", name="Rules")
        expect(rules).to_contain_text("Members sign in again after 12 hours.")
        expect(rules).to_contain_text("Only people with an address of these domains may join: example.com.")
        expect(rules).to_contain_text("Files go to the bin 7 days after they were added.")
        assert violations(page) == []
