"""`/teams/browseas-{id}` in a browser: an administrator opens a customer's teams, within the limits of browse-as."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update

from api.people.users.models import BrowserSession
from api.platform.db import clock
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.sites.site import Person, Site


@pytest.fixture
def customer(site: Site, chromium: Browser, tmp_path: Path) -> Person:
    """Somebody with a team of their own, “Night desk”."""
    cookies = tmp_path / "olga.json"
    person = Person(site.sign_up(f"Olga{uuid4().hex[:6]}", cookies), cookies)
    with watched_page(chromium, site.url, cookies=cookies) as page:
        page.goto("/teams")
        page.get_by_role("button", name="Create a team").click(timeout=WORK_MS)
        page.get_by_label("Name").fill("Night desk")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Night desk")).to_be_visible(timeout=WORK_MS)
    return person


@pytest.mark.long
def test_support_looks_then_changes_within_limits_and_their_time_ends(
    office: Page, site: Site, customer: Person
) -> None:
    office.goto(f"/teams/browseas-{customer.user_id}")
    start = office.get_by_role("button", name="Browse as this account")
    office.get_by_label("Reason").fill("no")
    expect(start).to_be_disabled()
    office.get_by_label("Reason").fill("Ticket 4713")
    start.click()
    office.wait_for_url("**/teams")
    banner = office.get_by_role("complementary", name="Browsing as a customer")
    expect(banner.get_by_role("timer")).to_have_text(re.compile(r"^(29|30):\d\d$"), timeout=WORK_MS)

    # At first only to look.
    office.goto("/glossary")
    expect(office.get_by_text("Export CSV")).to_be_visible(timeout=WORK_MS)
    expect(office.get_by_label("Term", exact=True)).to_have_count(0)

    banner.get_by_role("switch", name="Allow changes").click()
    expect(banner.get_by_role("switch", name="Allow changes")).to_be_checked(timeout=WORK_MS)
    office.get_by_label("Term", exact=True).fill("harbour master")
    office.get_by_role("button", name="Add term").click()
    expect(office.get_by_test_id("term")).to_have_count(1, timeout=WORK_MS)

    # Who is in a team is its owner's to say, whatever the switch says.
    office.goto("/teams")
    office.get_by_text("Night desk").first.click()
    office.get_by_label("Email").fill(f"gestur.{uuid4().hex[:8]}@example.com")
    office.get_by_role("button", name="Invite", exact=True).click()
    expect(office.get_by_text("Only the account's owner can do this").first).to_be_visible(timeout=WORK_MS)
    expect(office.get_by_test_id("invitation")).to_have_count(0)

    site.call(end_the_time(site))
    # The first call of the page is refused, and the administrator is back in their own account.
    office.goto("/teams", wait_until="commit")
    office.wait_for_url("**/admin/users", timeout=WORK_MS)
    expect(banner).to_have_count(0, timeout=WORK_MS)
    office.goto("/teams")
    expect(office.get_by_role("heading", name="No teams yet")).to_be_visible(timeout=WORK_MS)


@pytest.mark.long
def test_the_customer_reads_who_was_there_and_nobody_else_may_come(
    office: Page, desk: Page, site: Site, customer: Person, chromium: Browser
) -> None:
    desk.goto(f"/teams/browseas-{customer.user_id}")
    desk.wait_for_url("**/dashboard", timeout=WORK_MS)
    office.goto(f"/teams/browseas-{uuid4()}")
    office.get_by_label("Reason").fill("Ticket 4714")
    office.get_by_role("button", name="Browse as this account").click()
    expect(office.get_by_role("alert").filter(has_text="There is no such account")).to_be_visible(timeout=WORK_MS)
    office.goto(f"/teams/browseas-{customer.user_id}")
    office.get_by_label("Reason").fill("Ticket 4715")
    office.get_by_role("button", name="Browse as this account").click()
    banner = office.get_by_role("complementary", name="Browsing as a customer")
    banner.get_by_role("button", name="End").click()
    office.wait_for_url(f"**/admin/users/{customer.user_id}")
    with watched_page(chromium, site.url, cookies=customer.cookies) as page:
        page.goto("/settings")
        page.get_by_role("tab", name="Account log").click(timeout=WORK_MS)
        log = page.get_by_role("region", name="Account log")
        expect(log.get_by_text("Reason: Ticket 4715")).to_be_visible(timeout=WORK_MS)
        expect(log.get_by_text(re.compile(r"^Support \(Root")).first).to_be_visible()


async def end_the_time(site: Site) -> None:
    """Half an hour passes for everybody who browses as somebody."""
    async with site.state.database.write() as session:
        browsing = update(BrowserSession).where(BrowserSession.browse_user_id.is_not(None))
        await session.execute(browsing.values(browse_ends_at=clock.now(-1)))
