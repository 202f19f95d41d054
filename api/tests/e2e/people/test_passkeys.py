"""A passkey in Chromium, on its virtual authenticator: added, used as the only factor, and removed."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update

from api.people.users.models import BrowserSession
from api.testing.browser import PASSWORD
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import register, watched_page
from api.testing.mailbox import Mailbox
from api.testing.sites.site import Site


def plug_in(page: Page) -> None:
    """Give the browser a device that knows its owner by fingerprint."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


async def no_longer_confirmed(site: Site) -> None:
    """As if the last minutes had been an hour."""
    async with site.state.database.write() as session:
        await session.execute(update(BrowserSession).values(confirmed_at=None))


def add_passkey(page: Page, password: str) -> None:
    page.get_by_role("button", name="Add a passkey").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Name").fill("My phone")
    dialog.locator("input[name=passkey_password]").fill(password)
    dialog.get_by_role("button", name="Continue").click()


@pytest.mark.long
def test_a_passkey_is_added_used_and_removed(site: Site, chromium: Browser) -> None:
    # Passkeys belong to a name, and the site's own address is a number.
    url = site.url.replace("127.0.0.1", "localhost")
    with watched_page(chromium, url) as page:
        plug_in(page)
        register(page, "Ida")
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Passkeys")
        dialog = page.get_by_role("dialog")
        add_passkey(page, "not this one")
        expect(dialog.get_by_text("This is not your password.")).to_be_visible()
        assert violations(page) == []
        dialog.locator("input[name=passkey_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Continue").click()
        expect(section.get_by_text("My phone")).to_be_visible()
        assert violations(page) == []

        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.wait_for_url("**/login")
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url("**/dashboard")

        page.goto("/settings?section=password")
        expect(section.get_by_text("last used")).to_be_visible()
        section.get_by_role("button", name="Remove the passkey My phone").click()
        dialog.locator("input[name=passkey_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Remove").click()
        expect(section.get_by_text("My phone")).to_be_hidden()

        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.wait_for_url("**/login")
        page.get_by_role("button", name="Sign in with a passkey").click()
        expect(page.get_by_text("belongs to no account here")).to_be_visible()
        assert violations(page) == []


@pytest.mark.long
def test_a_passkey_alone_signs_in_and_confirms(site: Site, chromium: Browser) -> None:
    url = site.url.replace("127.0.0.1", "localhost")
    with watched_page(chromium, url) as page:
        plug_in(page)
        email = register(page, "Ida")
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Passkeys")
        dialog = page.get_by_role("dialog")
        add_passkey(page, PASSWORD)
        section.get_by_role("button", name="Remove the password").click()
        dialog.locator("input[name=password_removed]").fill(PASSWORD)
        dialog.get_by_role("button", name="Remove the password").click()
        codes = dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem")
        expect(codes).to_have_count(10)
        code = codes.nth(4).inner_text()
        assert violations(page) == []
        dialog.get_by_role("button", name="I have kept them").click()
        expect(page.get_by_text("Your passkeys sign you in.")).to_be_visible()
        expect(section.get_by_role("button", name="Remove the password")).to_be_hidden()

        # A key is power over the account: the passkey says that it is still her.
        site.call(no_longer_confirmed(site))
        page.goto("/settings?section=keys")
        page.get_by_role("button", name="New key").click()
        dialog.get_by_role("textbox", name="Name").fill("Newsdesk")
        dialog.get_by_role("button", name="Make the key").click()
        expect(page.get_by_role("heading", name="Show that it is you")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Use a passkey").click()
        expect(dialog.get_by_test_id("made-key")).to_be_visible()

    # The device is lost. A mail alone is not enough.
    with watched_page(chromium, url) as page:
        page.goto("/reset/password")
        page.locator("input[name=email]").fill(email)
        page.get_by_role("button", name="Send the link").click()
        expect(page.get_by_text("is on its way")).to_be_visible()
        page.goto(urlsplit(site.call(Mailbox(site.state).link(email))).path)
        page.locator("input[name=password]").fill(f"{PASSWORD} new")
        page.locator("input[name=password_confirmation]").fill(f"{PASSWORD} new")
        page.get_by_role("button", name="Set the password").click()
        expect(page.get_by_text("Enter one of your recovery codes")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Recovery code").fill(code)
        page.get_by_role("button", name="Set the password").click()
        expect(page.get_by_text("Your password was changed.")).to_be_visible()


def test_an_address_in_numbers_offers_none(site: Site, chromium: Browser, tmp_path: Path) -> None:
    site.sign_up("Ida", tmp_path / "ida.json", f"ida.{uuid4().hex[:8]}@example.com")
    with watched_page(chromium, site.url, cookies=tmp_path / "ida.json") as page:
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Passkeys")
        expect(section.get_by_text("This browser cannot add one here")).to_be_visible()
        expect(section.get_by_role("button", name="Add a passkey")).to_be_hidden()
    with watched_page(chromium, site.url) as page:
        page.goto("/login")
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
