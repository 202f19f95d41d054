"""Teams in a browser: the page, the invitation of somebody without an account, and the switcher."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.browser import PASSWORD
from api.testing.in_browser.pages import watched_page
from api.testing.mailbox import Mailbox
from api.testing.sites.site import Person, Site


@pytest.fixture
def owner(site: Site, tmp_path: Path) -> Person:
    cookies = tmp_path / "owner.json"
    return Person(site.sign_up(f"Olga{uuid4().hex[:6]}", cookies), cookies)


@pytest.fixture
def office(chromium: Browser, site: Site, owner: Person) -> Iterator[Page]:
    with watched_page(chromium, site.url, cookies=owner.cookies) as opened:
        yield opened


def make_team(page: Page, name: str) -> None:
    page.goto("/teams")
    expect(page.get_by_role("heading", name="No teams yet")).to_be_visible()
    page.get_by_role("button", name="Create a team").click()
    page.get_by_label("Name").fill(name)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    # Whoever makes a team works for it from then on.
    expect(page.get_by_role("button", name=f"Working for: {name}")).to_be_visible()


def test_a_team_grows_by_an_invitation_and_works_on_one_file(
    office: Page, chromium: Browser, site: Site, owner: Person
) -> None:
    make_team(office, "Night desk")
    guest = f"gestur.{uuid4().hex[:8]}@example.com"
    office.get_by_label("Email").fill("not an address")
    office.get_by_role("button", name="Invite", exact=True).click()
    expect(office.get_by_text("The email must be a valid email address.")).to_be_visible()
    office.get_by_label("Email").fill(guest)
    office.get_by_role("button", name="Invite", exact=True).click()
    expect(office.get_by_test_id("invitation")).to_contain_text(guest)

    # The link leads somebody without an account to the choice of a name and a password, and then into the team.
    link = site.call(Mailbox(site.state).link(guest))
    with watched_page(chromium, site.url) as theirs:
        theirs.goto(link.removeprefix(site.url))
        expect(theirs.get_by_role("heading", name="Join Night desk")).to_be_visible()
        expect(theirs.get_by_label("Email")).to_have_value(guest)
        theirs.locator("input[name=name]").fill("Gestur")
        theirs.locator("input[name=password]").fill(PASSWORD)
        theirs.locator("input[name=password_confirmation]").fill(PASSWORD)
        theirs.get_by_role("button", name="Create account and join").click()
        expect(theirs.get_by_role("heading", name="Night desk")).to_be_visible()
        expect(theirs.get_by_role("button", name="Working for: Night desk")).to_be_visible()
        expect(theirs.get_by_role("button", name="Delete team")).to_have_count(0)

        # The owner's own files and the team's are apart, each says whose it is, and one moves to the team.
        site.file(owner.user_id, "The harbour is closed.")
        office.goto("/dashboard")
        expect(office.get_by_role("heading", name="Night desk")).to_be_visible()
        expect(office.get_by_text("No files yet")).to_be_visible()
        office.get_by_role("button", name="Personal", exact=True).click()
        card = office.get_by_test_id("file")
        expect(card.get_by_test_id("owner")).to_contain_text("Personal")
        office.get_by_role("button", name="Working for: Personal").click()
        office.get_by_role("menuitemradio", name="Night desk").click()
        expect(office.get_by_role("button", name="Working for: Night desk")).to_be_visible()
        office.goto("/captions")
        expect(office.get_by_text("No files yet")).to_be_visible()
        office.get_by_role("combobox", name="Workspace", exact=True).click()
        office.get_by_role("option", name="All workspaces").click()
        expect(card.get_by_test_id("owner")).to_contain_text("Personal")
        card.get_by_role("button", name=re.compile("^Move to team:")).click()
        office.get_by_role("radio", name="Night desk").check()
        office.get_by_role("button", name="Move", exact=True).click()
        expect(office.get_by_role("dialog")).to_have_count(0)
        expect(office.get_by_text("Moved 1 file to Night desk")).to_be_visible()
        expect(card.get_by_test_id("owner")).to_contain_text("Night desk")
        theirs.goto("/captions")
        expect(theirs.get_by_role("button", name=re.compile("^More for"))).to_have_count(1)

        # Removed, they see it no more.
        office.goto("/teams")
        office.get_by_role("button", name="Remove Gestur").click()
        office.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(office.get_by_test_id("member")).to_have_count(1)
        theirs.reload()
        expect(theirs.get_by_text("No files yet")).to_be_visible()
        expect(theirs.get_by_role("button", name="Working for: Night desk")).to_have_count(0)


@pytest.mark.long
def test_a_team_is_renamed_deleted_and_restored(office: Page) -> None:
    make_team(office, "Archive")
    office.get_by_role("tab", name="Settings").click()
    office.get_by_role("textbox", name="Name", exact=True).fill("Film archive")
    office.get_by_role("button", name="Save", exact=True).click()
    expect(office.get_by_role("heading", name="Film archive")).to_be_visible()
    office.get_by_role("button", name="Leave team").click()
    office.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(office.get_by_text("Delete the team instead").first).to_be_visible()
    office.get_by_role("tab", name="Account log").click()
    expect(office.get_by_test_id("log-entry").first).to_contain_text("Changed the team")
    office.get_by_role("tab", name="Settings").click()
    office.get_by_role("button", name="Delete team").click()
    office.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(office.get_by_role("heading", name="Recently deleted")).to_be_visible()
    office.get_by_role("button", name="Restore Film archive").click()
    expect(office.get_by_role("heading", name="Film archive")).to_be_visible()


@pytest.mark.long
def test_an_invitation_for_another_address_is_explained(office: Page, site: Site) -> None:
    make_team(office, "Desk")
    guest = f"annar.{uuid4().hex[:8]}@example.com"
    office.get_by_label("Email").fill(guest)
    office.get_by_role("button", name="Invite", exact=True).click()
    expect(office.get_by_test_id("invitation")).to_have_count(1)
    link = site.call(Mailbox(site.state).link(guest))
    office.goto(link.removeprefix(site.url))
    expect(office.get_by_role("alert")).to_contain_text(guest)
    expect(office.get_by_role("button", name="Sign out and continue")).to_be_visible()
    office.goto("/teams")
    office.get_by_role("button", name=f"Withdraw the invitation of {guest}").click()
    expect(office.get_by_test_id("invitation")).to_have_count(0)
    office.goto("about:blank")
    office.goto(f"{site.url}{link.removeprefix(site.url)}")
    expect(office.get_by_text("has been withdrawn")).to_be_visible()
