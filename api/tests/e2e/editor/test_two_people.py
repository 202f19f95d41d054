"""Two people in one file: each sees where the other is and what they write, and both keep every word."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import send_events, write
from api.testing.sites.site import Site


def test_two_people_write_in_one_line_and_both_keep_their_words(chromium: Browser, site: Site, tmp_path: Path) -> None:
    cookies = {name: tmp_path / f"{name}.json" for name in ("Ada", "Bob")}
    people = {name: site.sign_up(name, path) for name, path in cookies.items()}
    slug = site.file(people["Ada"], "So the men move on", "Nobody knows when")

    async def share(session: AsyncSession) -> None:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        session.add_all(Membership(team_id=team.id, user_id=each, role=TeamRole.EDITOR) for each in people.values())
        await session.execute(update(File).where(File.slug == slug).values(team_id=team.id))

    write(site, share)
    with (
        watched_page(chromium, site.url, cookies=cookies["Ada"]) as ada_page,
        watched_page(chromium, site.url, cookies=cookies["Bob"]) as bob_page,
    ):
        ada, bob = EditorPage(ada_page, slug).open(), EditorPage(bob_page, slug).open()
        expect(ada_page.get_by_test_id("others").get_by_role("button")).to_have_text("B")
        expect(bob_page.get_by_test_id("others").get_by_role("button")).to_have_text("A")

        # Bob begins a change of the first line, whose answer does not come for a while.
        bob.go_into(0, 18)
        bob_page.context.set_offline(True)
        bob.type(" into more")
        ada.go_into(0, 7)
        ada.type("wo")
        ada.wait_until_saved()
        send_events(site)
        bob_page.context.set_offline(False)
        bob.wait_until_saved()
        both = "So the women move on into more"
        assert site.texts(slug)[0] == both
        assert bob.texts[0] == both
        send_events(site)
        expect(ada_page.locator("textarea").first).to_have_value(both)

        # A line that somebody else writes in waits, unless one decides otherwise.
        ada.go_into(1, 17)
        ada.type(" yet")
        mark = bob_page.get_by_test_id("others-mark")
        expect(mark).to_contain_text("Ada")
        ada.wait_until_saved()
        send_events(site)
        expect(bob_page.locator("textarea").nth(1)).to_have_value("Nobody knows when yet")
        ada_page.close()
        expect(mark).to_have_count(0)
