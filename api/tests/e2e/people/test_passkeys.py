"""A passkey in Chromium, on its virtual authenticator: added, used as the only factor, and removed."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Browser, Page, expect

from api.testing.browser import PASSWORD
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import watched_page
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


def test_a_passkey_is_added_used_and_removed(site: Site, chromium: Browser) -> None:
    # Passkeys belong to a name, and the site's own address is a number.
    url = site.url.replace("127.0.0.1", "localhost")
    email = f"ida.{uuid4().hex[:8]}@example.com"
    with watched_page(chromium, url) as page:
        plug_in(page)
        page.goto("/register")
        for name, text in (
            ("name", "Ida"),
            ("email", email),
            ("password", PASSWORD),
            ("password_confirmation", PASSWORD),
        ):
            page.locator(f"input[name={name}]").fill(text)
        page.get_by_role("button", name="Create account").click()
        page.wait_for_url("**/dashboard")
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Passkeys")
        section.get_by_role("button", name="Add a passkey").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("textbox", name="Name").fill("My phone")
        dialog.locator("input[name=passkey_password]").fill("not this one")
        dialog.get_by_role("button", name="Continue").click()
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
