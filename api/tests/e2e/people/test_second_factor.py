"""The second factor in a browser: turned on, asked for, replaced by a recovery code, and turned off."""

from __future__ import annotations

import time
from pathlib import Path
from uuid import UUID, uuid4

import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.second_factor import service
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import watched_page
from api.testing.mailbox import Mailbox
from api.testing.sites.files import write
from api.testing.sites.site import Site, running_site


class Ahead:
    """Half a minute passes with each code, as each is taken once."""

    def __init__(self) -> None:
        self.ahead_s = 0

    def time(self) -> float:
        return time.time() + self.ahead_s

    def code(self, secret: str) -> str:
        self.ahead_s += 30
        return pyotp.TOTP(secret).at(int(self.time()))


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    clock = Ahead()
    monkeypatch.setattr(service, "time", clock)
    return clock


def sign_in(page: Page, email: str) -> None:
    page.goto("/login")
    page.locator("input[name=email]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()


@pytest.mark.long
def test_codes_are_turned_on_asked_for_and_turned_off(
    site: Site, chromium: Browser, ahead: Ahead, tmp_path: Path
) -> None:
    email = f"ida.{uuid4().hex[:8]}@example.com"
    site.sign_up("Ida", tmp_path / "ida.json", email)
    with watched_page(chromium, site.url, cookies=tmp_path / "ida.json") as page:
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Authenticator app")
        section.get_by_role("button", name="Add an authenticator app").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("input[name=factor_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Continue").click()
        expect(dialog.get_by_role("img", name="QR code for the app")).to_be_visible()
        assert violations(page) == []
        secret = dialog.locator("code").inner_text().replace(" ", "")
        dialog.get_by_role("textbox", name="Code of the app").fill("123456")
        dialog.get_by_role("button", name="Turn on").click()
        expect(dialog.get_by_text("This code is not right")).to_be_visible()
        dialog.get_by_role("textbox", name="Code of the app").fill(ahead.code(secret))
        dialog.get_by_role("button", name="Turn on").click()
        shown = page.get_by_role("list", name="Recovery codes").locator("code")
        expect(shown).to_have_count(10)
        codes = shown.all_inner_texts()
        assert violations(page) == []
        page.get_by_role("button", name="I have kept them").click()
        expect(section.get_by_text("10 recovery codes are left")).to_be_visible()
        assert violations(page) == []

    with watched_page(chromium, site.url) as page:
        sign_in(page, email)
        assert violations(page) == []
        page.get_by_role("textbox", name="Code").fill("000000")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("This code is not right")).to_be_visible()
        page.get_by_role("button", name="Back to the password").click()
        sign_in(page, email)
        page.get_by_role("textbox", name="Code").fill(ahead.code(secret))
        page.get_by_text("Ask this browser for no code for 30 days").click()
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/dashboard")
        # The next time, the password is enough here.
        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.wait_for_url("**/login")
        page.locator("input[name=email]").fill(email)
        page.locator("input[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/dashboard")

        # That sign-in took no code, so what cannot be undone asks for one.
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Authenticator app")
        expect(section.get_by_text("1 browser needs no code")).to_be_visible()
        section.get_by_role("button", name="Turn off").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("input[name=factor_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Turn off").click()
        # The page asks for it, and goes on by itself.
        asking = page.get_by_role("dialog", name="Show that it is you")
        code = asking.get_by_role("textbox", name="Code of your authenticator app")
        code.fill("000000")
        asking.get_by_role("button", name="Go on").click()
        expect(asking.get_by_text("This code is not right")).to_be_visible()
        assert violations(page) == []
        asking.get_by_role("button", name="Cancel").click()
        expect(dialog.get_by_role("alert")).to_contain_text("Show with a code or a passkey")
        dialog.get_by_role("button", name="Turn off").click()
        code.fill(codes[0])
        asking.get_by_role("button", name="Go on").click()
        expect(section.get_by_role("button", name="Add an authenticator app")).to_be_visible()


def test_where_it_is_asked_for_nobody_works_without(chromium: Browser, ahead: Ahead, tmp_path: Path) -> None:
    with (
        running_site(tmp_path / "strict", PROJECT / "ui" / "dist", second_factor="everybody") as strict,
        watched_page(chromium, strict.url) as page,
    ):
        page.goto("/register")
        for name, text in (
            ("name", "Ida"),
            ("email", "ida@example.com"),
            ("password", PASSWORD),
            ("password_confirmation", PASSWORD),
        ):
            page.locator(f"input[name={name}]").fill(text)
        page.get_by_role("button", name="Create account").click()
        page.wait_for_url("**/settings?section=password")
        expect(page.get_by_text("This service asks for a second factor.")).to_be_visible()
        page.goto("/dashboard")
        page.wait_for_url("**/settings?section=password")
        expect(page.get_by_role("button", name="Add an authenticator app")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Add an authenticator app").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("input[name=factor_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Continue").click()
        secret = dialog.locator("code").inner_text().replace(" ", "")
        dialog.get_by_role("textbox", name="Code of the app").fill(ahead.code(secret))
        dialog.get_by_role("button", name="Turn on").click()
        page.get_by_role("button", name="I have kept them").click()
        expect(page.get_by_text("This service asks for a second factor.")).to_be_hidden()
        page.goto("/dashboard")
        expect(page.get_by_role("heading", level=1, name="Files")).to_be_visible()


async def turn_on(state: AppState, user_id: UUID, ahead: Ahead) -> str:
    """Codes for an account, as its settings turn them on. Returns the secret of the app."""
    async with state.database.write() as session:
        user = await session.get_one(User, user_id)
        secret = (await service.begin(session, state.settings, user)).secret
        await service.confirm(session, state.settings, user, ahead.code(secret))
    return secret


@pytest.mark.long
def test_an_invitation_asks_for_the_code_too(site: Site, chromium: Browser, ahead: Ahead, tmp_path: Path) -> None:
    email = f"ida.{uuid4().hex[:8]}@example.com"
    secret = site.call(turn_on(site.state, site.sign_up("Ida", tmp_path / "ida.json", email), ahead))
    site.sign_up("Olga", tmp_path / "olga.json", f"olga.{uuid4().hex[:8]}@example.com")
    with watched_page(chromium, site.url, cookies=tmp_path / "olga.json") as office:
        office.goto("/teams")
        office.get_by_role("button", name="Create a team").click()
        office.get_by_label("Name").fill("Day desk")
        office.keyboard.press("Enter")
        expect(office.get_by_role("heading", name="Day desk")).to_be_visible()
        office.get_by_label("Email").fill(email)
        office.get_by_role("button", name="Invite", exact=True).click()
        expect(office.get_by_test_id("invitation")).to_contain_text(email)
    link = site.call(Mailbox(site.state).link(email)).removeprefix(site.url)
    with watched_page(chromium, site.url) as page:
        page.goto(link)
        page.locator("input[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in and join").click()
        page.locator("input[name=code]").fill("000000")
        page.get_by_role("button", name="Sign in and join").click()
        expect(page.get_by_text("This code is not right")).to_be_visible()
        assert violations(page) == []
        # Another way leads back to the invitation.
        page.get_by_role("link", name="Sign in another way").click()
        page.locator("input[name=email]").fill(email)
        page.locator("input[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("textbox", name="Code").fill(ahead.code(secret))
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.get_by_role("button", name="Join Day desk").click()
        expect(page.get_by_role("heading", name="Day desk")).to_be_visible()


@pytest.mark.long
def test_a_team_asks_its_members(site: Site, chromium: Browser, tmp_path: Path) -> None:
    cookies = tmp_path / "tom.json"
    tom = site.sign_up(f"Tom{uuid4().hex[:6]}", cookies)
    una = site.sign_up(f"Una{uuid4().hex[:6]}", tmp_path / "una.json")
    team_id = uuid4()

    async def found(session: AsyncSession) -> None:
        session.add(Team(id=team_id, name="Crew"))
        await session.flush()
        session.add(Membership(team_id=team_id, user_id=tom, role=TeamRole.OWNER))
        session.add(Membership(team_id=team_id, user_id=una, role=TeamRole.OWNER))

    async def ask(session: AsyncSession) -> None:
        (await session.get_one(Team, team_id)).requires_factor = True

    write(site, found)
    with watched_page(chromium, site.url, cookies=cookies) as page:
        page.goto(f"/teams?team={team_id}")
        page.get_by_role("tab", name="Settings").click()
        page.get_by_role("switch", name="Members need a second factor").check(force=True)
        page.get_by_role("button", name="Save rules").click()
        expect(page.get_by_text("Add an authenticator app to your own account first")).to_be_visible()
        assert violations(page) == []
        write(site, ask)
        page.goto("/dashboard")
        page.wait_for_url("**/settings?section=password")
        expect(page.get_by_text("Crew asks for a second factor.")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Leave Crew").click()
        expect(page.get_by_text("Crew asks for a second factor.")).to_have_count(0)
        page.goto("/dashboard")
        expect(page.get_by_role("navigation", name="Main")).to_be_visible()
