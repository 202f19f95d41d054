"""The pages of an account on the light site: recovery, verification, settings, deletion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4
from zipfile import ZipFile

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from api.people.access.event_delivery import end_delivery
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.realtime.publisher import Publisher
from api.testing.browser import PASSWORD
from api.testing.in_browser.pages import watched_page
from api.testing.mailbox import Mailbox
from api.testing.sites.site import Site
from cluster.testing.patience import PATIENCE_S

NEW = "seven green bicycles"


@dataclass(frozen=True)
class Visitor:
    page: Page
    email: str


@pytest.fixture
def ida(chromium: Browser, site: Site, tmp_path: Path) -> Iterator[Visitor]:
    """A new person, signed in."""
    name = f"ida.{uuid4().hex[:8]}"
    cookies = tmp_path / "ida.json"
    site.sign_up(name, cookies)
    with watched_page(chromium, site.url, cookies=cookies) as page:
        yield Visitor(page, f"{name}@example.com")


def link_of(site: Site, email: str) -> str:
    """The path of the button in the newest mail."""
    return urlsplit(site.call(Mailbox(site.state).link(email))).path


def end_connections(site: Site) -> None:
    """What the dispatcher does with sessions that ended."""

    async def deliver() -> None:
        async with Publisher(site.settings) as publisher:
            delivery = end_delivery(publisher)
            while await OutboxSender(site.state.database, [delivery]).send_batch(delivery):
                pass

    site.call(deliver())


def sign_in(page: Page, email: str, password: str) -> None:
    page.goto("/login")
    page.locator("input[name=email]").fill(email)
    page.locator("input[name=password]").fill(password)
    page.get_by_role("button", name="Sign in").click()


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_forgotten_password_is_set_by_the_link_of_a_mail(site: Site, chromium: Browser, ida: Visitor) -> None:
    with watched_page(chromium, site.url) as page:
        page.goto("/login")
        page.get_by_role("link", name="Forgot your password?").click()
        expect(page).to_have_title(re.compile("Forgot password"))
        page.locator("input[name=email]").fill(ida.email)
        page.get_by_role("button", name="Send the link").click()
        expect(page.get_by_role("status")).to_contain_text(ida.email)
        link = link_of(site, ida.email)
        page.goto(link)
        expect(page).to_have_title(re.compile("Reset password"))
        page.locator("input[name=password]").fill(NEW)
        page.locator("input[name=password_confirmation]").fill(NEW)
        page.get_by_role("button", name="Set the password").click()
        expect(page.get_by_role("status")).to_contain_text("Your password was changed")
        page.goto(link)
        page.locator("input[name=password]").fill(NEW)
        page.locator("input[name=password_confirmation]").fill(NEW)
        page.get_by_role("button", name="Set the password").click()
        expect(page.get_by_role("alert")).to_contain_text("no longer works")
        expect(page.get_by_role("link", name="Ask for a new link")).to_be_visible()
        sign_in(page, ida.email, NEW)
        page.wait_for_url("**/dashboard")


@pytest.mark.long
def test_the_link_of_the_first_mail_confirms_the_address(site: Site, ida: Visitor) -> None:
    page = ida.page
    page.goto("/email/verification")
    expect(page.get_by_text(ida.email)).to_be_visible()
    expect(page.get_by_role("button", name="Send the link again")).to_be_visible()
    page.goto(link_of(site, ida.email))
    expect(page.get_by_role("heading", name="Your address is confirmed")).to_be_visible()
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url("**/dashboard")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(f"/email/verification/{uuid4()}/1/x")
    expect(page.get_by_role("alert")).to_contain_text("no longer works")


@pytest.mark.long
def test_name_picture_and_address_are_changed(site: Site, ida: Visitor, tmp_path: Path) -> None:
    page = ida.page
    page.goto("/settings")
    page.locator("input[name=name]").fill("Ida Rhodes")
    Image.new("RGB", (300, 200), "teal").save(tmp_path / "me.png")
    page.locator("input[type=file]").set_input_files(str(tmp_path / "me.png"))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("User info was successfully updated")).to_be_visible()
    page.reload()
    expect(page.locator("input[name=name]")).to_have_value("Ida Rhodes")
    picture = page.get_by_role("img", name="Your picture")
    expect(picture).to_have_js_property("naturalWidth", 256)
    (tmp_path / "bad.png").write_bytes(b"<svg/>")
    page.locator("input[type=file]").set_input_files(str(tmp_path / "bad.png"))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot read this picture")
    page.goto(link_of(site, ida.email))
    expect(page.get_by_role("heading", name="Your address is confirmed")).to_be_visible()
    other = f"new.{ida.email}"
    page.goto("/settings")
    page.locator("input[name=email]").fill(other)
    page.locator("input[name=email_password]").fill(PASSWORD)
    page.get_by_role("button", name="Change the address").click()
    expect(page.get_by_text(f"Open the link that we sent to {other}")).to_be_visible()
    page.goto(link_of(site, other))
    expect(page.get_by_role("status")).to_contain_text(other)


@pytest.mark.long
def test_a_new_password_and_a_sign_out_elsewhere_reach_the_other_browser(
    site: Site, chromium: Browser, ida: Visitor
) -> None:
    page = ida.page
    with watched_page(chromium, site.url) as phone:
        sign_in(phone, ida.email, PASSWORD)
        phone.wait_for_url("**/dashboard")
        page.goto("/settings?section=devices")
        expect(page.get_by_text("This browser")).to_be_visible()
        with phone.expect_response("**/api/polling/initiate"):
            phone.reload()
        page.get_by_role("button", name=re.compile("^Sign out .* on ")).click()
        expect(page.get_by_text("is signed out.")).to_be_visible()
        end_connections(site)
        phone.wait_for_url("**/login")
    page.get_by_role("tab", name="Password").click()
    page.locator("input[name=password_old]").fill(PASSWORD)
    page.locator("input[name=password]").fill(NEW)
    page.locator("input[name=password_confirmation]").fill("something else")
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("The password confirmation does not match.")).to_be_visible()
    page.locator("input[name=password_confirmation]").fill(NEW)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Password was successfully updated")).to_be_visible()
    page.get_by_role("tab", name="Account log").click()
    expect(page.get_by_role("region", name="Account log")).to_contain_text("Changed the password")


@pytest.mark.long
def test_a_copy_is_downloaded_and_the_account_deleted_and_restored(ida: Visitor) -> None:
    page = ida.page
    page.goto("/settings?section=data")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download").click()
    with ZipFile(started.value.path()) as archive:
        assert "profile.json" in archive.namelist()
    page.get_by_role("button", name="Delete my account").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[name=confirmation]").fill("somebody@example.com")
    dialog.locator("input[name=deletion_password]").fill(PASSWORD)
    dialog.get_by_role("button", name="Delete my account").click()
    expect(dialog.get_by_text("Type your email address")).to_be_visible()
    dialog.locator("input[name=confirmation]").fill(ida.email)
    dialog.get_by_role("button", name="Delete my account").click()
    page.wait_for_url("**/login")
    sign_in(page, ida.email, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("was deleted")
    page.get_by_role("button", name="Restore my account").click()
    page.wait_for_url("**/dashboard")


@pytest.mark.long
def test_an_api_key_is_made_shown_once_used_and_revoked(ida: Visitor, site: Site) -> None:
    page = ida.page
    page.goto("/settings?section=keys")
    expect(page.get_by_text("There are no keys yet")).to_be_visible()
    page.get_by_role("button", name="New key").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make the key").click()
    expect(dialog.get_by_text("The name is required.")).to_be_visible()
    dialog.get_by_label("Name").fill("Newsroom robot")
    # What the README's first calls need is chosen already.
    expect(dialog.get_by_label("Read files")).to_be_checked()
    dialog.get_by_label("Minutes of sound a month").fill("90")
    dialog.get_by_role("button", name="Make the key").click()
    secret = dialog.get_by_test_id("made-key").input_value()
    dialog.get_by_role("button", name="Copy the key").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    dialog.get_by_role("button", name="Done").click()
    key = page.get_by_test_id("api-key")
    expect(key).to_contain_text("Newsroom robot")
    for shown in ("Transcribe, Read files", "Never used", "0 of 90 min used this month", secret[:10]):
        expect(key).to_contain_text(shown)
    expect(page.get_by_text(secret)).to_have_count(0)

    headers = {"Authorization": f"Bearer {secret}"}
    assert httpx2.get(f"{site.url}/v1/models", headers=headers, timeout=PATIENCE_S).status_code == 200
    page.reload()
    expect(key).to_contain_text("Last used")
    key.get_by_role("button", name="Revoke Newsroom robot").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke the key").click()
    expect(page.get_by_text("There are no keys yet")).to_be_visible()
    assert httpx2.get(f"{site.url}/v1/models", headers=headers, timeout=PATIENCE_S).status_code == 401


@pytest.mark.long
@pytest.mark.parametrize(
    "path",
    [
        "/settings",
        "/settings?section=devices",
        "/settings?section=keys",
        "/settings?section=data",
        "/email/verification",
    ],
)
def test_the_pages_fit_a_phone(ida: Visitor, path: str) -> None:
    ida.page.set_viewport_size({"width": 360, "height": 740})
    ida.page.goto(path)
    expect(ida.page.get_by_role("heading", level=1)).to_be_visible()
    assert fits(ida.page)
