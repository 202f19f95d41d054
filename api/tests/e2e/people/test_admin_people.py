"""The admin pages of accounts, companies and the audit log, and browse-as, in a browser."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from api.testing.sites.site import Person, Site


@pytest.mark.long
def test_a_user_is_created_with_a_contract_and_changed(office: Page, tmp_path: Path) -> None:
    name, email = "=Ada Corp", f"ada.{uuid4().hex[:8]}@corp.example"
    office.goto("/dashboard")
    office.get_by_role("navigation", name="Main").get_by_role("link", name="Admin").click()
    office.wait_for_url("**/admin/dashboard")
    office.goto("/admin/users")
    expect(office).to_have_title(re.compile("Admin - Users Management"))
    office.get_by_role("link", name="Create user").click()
    expect(office).to_have_title(re.compile("Admin - Create user"))
    office.get_by_label("Name").fill(name)
    office.get_by_label("E-mail").fill(email)
    office.get_by_label("Personal number").fill("120174-3399")
    office.get_by_label("Price a month").fill("250")
    office.get_by_label("Hours a month").fill("100")
    office.get_by_label("People").fill("12")
    office.get_by_role("button", name="Create user").click()
    expect(office.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(office.get_by_text("$250.00 a month")).to_be_visible()
    expect(office.get_by_text("100 hours a month, any number of GB, 12 people")).to_be_visible()
    expect(office.get_by_label("Personal number")).to_have_attribute("placeholder", "•••• 3399")
    assert "120174" not in office.content()

    office.get_by_role("button", name="Edit contract").click()
    office.get_by_label("Price a month").fill("199.50")
    office.get_by_role("button", name="Save contract").click()
    expect(office.get_by_text("$199.50 a month")).to_be_visible()
    expect(office.get_by_text("Set the contract").first).to_be_visible()

    office.get_by_role("button", name="More").click()
    office.get_by_role("menuitem", name="Turn the account off").click()
    office.get_by_role("dialog").get_by_role("button", name="Turn the account off").click()
    expect(office.get_by_text("=Ada Corp cannot sign in any more.")).to_be_visible()
    office.get_by_role("button", name="More").click()
    office.get_by_role("menuitem", name="Turn the account on again").click()
    office.get_by_role("dialog").get_by_role("button", name="Turn the account on again").click()
    expect(office.get_by_text("=Ada Corp can sign in again.")).to_be_visible()
    office.get_by_role("button", name="More").click()
    office.get_by_role("menuitem", name="Delete account").click()
    office.get_by_role("dialog").get_by_role("button", name="Delete account").click()
    office.get_by_role("button", name="Restore account").click()
    expect(office.get_by_role("button", name="More")).to_be_visible()

    office.goto("/admin/users")
    office.get_by_role("searchbox", name="Search name or e-mail").fill(email.upper())
    table = office.get_by_role("table", name="users")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table).to_contain_text("Corporate")
    with office.expect_download() as download:
        office.get_by_role("link", name="CSV").click()
    target = tmp_path / "users.csv"
    download.value.save_as(target)
    (row,) = csv.DictReader(target.read_text("utf-8-sig").splitlines())
    assert (row["name"], row["email"], row["contract cents"]) == ("'=Ada Corp", email, "19950")


@pytest.mark.long
def test_browsing_as_a_customer(office: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id, "Only Grace may read this")
    office.goto(f"/admin/users/{grace.user_id}")
    office.get_by_role("button", name="Browse as").click()
    dialog = office.get_by_role("dialog")
    start = dialog.get_by_role("button", name="Start")
    expect(start).to_be_disabled()
    dialog.get_by_label("Reason").fill("Ticket 4711")
    start.click()
    office.wait_for_url("**/dashboard")
    banner = office.get_by_role("complementary", name="Browsing as a customer")
    expect(banner).to_contain_text("Grace")
    expect(banner.get_by_role("timer")).to_have_text(re.compile(r"^(29|30):\d\d$"))
    expect(office.get_by_role("link", name="Admin", exact=True)).to_have_count(0)
    office.goto(f"/captions/{slug}")
    expect(office.get_by_text("Only Grace may read this").first).to_be_visible()
    expect(banner).to_be_visible()

    refused = office.request.put(
        f"/api/files/{slug}", data={"name": "Mine"}, headers={"X-XSRF-TOKEN": token_of(office)}
    )
    assert (refused.status, refused.json()["code"]) == (403, "browse_as_read_only")
    banner.get_by_role("switch", name="Allow changes").click()
    expect(banner.get_by_role("switch", name="Allow changes")).to_be_checked()
    office.goto("/dashboard")
    expect(banner.get_by_role("switch", name="Allow changes")).to_be_checked()
    banner.get_by_role("button", name="End").click()
    office.wait_for_url(f"**/admin/users/{grace.user_id}")
    expect(banner).to_have_count(0)
    office.get_by_role("link", name="All entries").click()
    entries = office.get_by_role("table", name="entries")
    expect(entries).to_contain_text("Opened captions as support")
    entries.get_by_text("Reason: Ticket 4711").first.click()
    expect(entries).to_contain_text("127.0.0.1")


def token_of(page: Page) -> str:
    from urllib.parse import unquote

    (cookie,) = [one for one in page.context.cookies() if one.get("name") == "XSRF-TOKEN"]
    return unquote(str(cookie.get("value")))


@pytest.mark.long
def test_a_company_gets_its_people(office: Page, grace: Person) -> None:
    name = f"Acme {uuid4().hex[:6]}"
    office.goto("/admin/companies")
    office.get_by_role("button", name="Create company").click()
    dialog = office.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_label("Registration number").fill(uuid4().hex[:10])
    dialog.get_by_label("Country (two letters)").fill("is")
    dialog.get_by_role("button", name="Create company").click()
    expect(office.get_by_role("heading", level=1, name=name)).to_be_visible()
    office.get_by_role("combobox", name="Add a user").fill(grace.email)
    office.get_by_role("option", name=f"Grace ({grace.email})").click()
    people = office.get_by_role("region", name="Users")
    expect(people.get_by_role("link", name="Grace")).to_be_visible()
    office.get_by_role("button", name="Delete company").click()
    office.get_by_role("button", name="Restore company").click()
    people.get_by_role("button", name="Remove Grace").click()
    expect(people.get_by_text("None yet.")).to_be_visible()
    office.get_by_role("link", name="Companies").first.click()
    office.get_by_role("searchbox", name="Search companies").fill(name)
    expect(office.get_by_role("table", name="companies")).to_contain_text(name)


def test_others_are_sent_to_the_dashboard(desk: Page) -> None:
    for path in ("/admin", "/admin/users", "/admin/users/create", "/admin/companies", "/admin/audit"):
        desk.goto(path)
        desk.wait_for_url("**/dashboard")
