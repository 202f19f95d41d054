"""An administrator adds an identity provider, and people sign in with it: in a browser, with a provider of others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.admins import promote
from api.testing.browser import PASSWORD
from api.testing.identity.servers import CLIENT, SECRET, IdentityServer, running_node_provider
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import watched_page
from api.testing.sites.site import Site


@pytest.fixture(scope="module")
def server(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[IdentityServer]:
    with running_node_provider(tmp_path_factory.mktemp("provider"), site.url) as started:
        yield started


@pytest.fixture(scope="module")
def root(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cookies of an administrator."""
    cookies = tmp_path_factory.mktemp("root") / "root.json"
    site.call(promote(site.state, site.sign_up("Root", cookies, f"root.{uuid4().hex[:8]}@example.com")))
    return cookies


@pytest.fixture(scope="module")
def added(site: Site, chromium: Browser, server: IdentityServer, root: Path) -> Iterator[None]:
    """The provider as an administrator adds it; removed again, because others use the site too."""
    with watched_page(chromium, site.url, cookies=root) as page:
        page.goto("/admin")
        page.get_by_role("link", name="Sign-in").click()
        expect(page.get_by_text("Everybody signs in with a password.")).to_be_visible()
        page.get_by_role("button", name="Add a provider").click()
        form = page.get_by_role("dialog")
        form.get_by_role("textbox", name="Name", exact=True).fill("Node")
        form.get_by_role("textbox", name="Short name").fill("node")
        form.get_by_role("textbox", name="Issuer").fill("http://id.example.com")
        form.get_by_role("button", name="Save").click()
        expect(form.get_by_text("It needs https.")).to_be_visible()
        form.get_by_role("textbox", name="Issuer").fill(server.url)
        form.get_by_role("button", name="Check").click()
        expect(form.get_by_text("The provider answers.")).to_be_visible()
        form.get_by_role("textbox", name="Client ID").fill(CLIENT)
        form.locator("input[name=client_secret]").fill(SECRET)
        form.get_by_role("textbox", name="Scopes").fill("openid email profile groups")
        assert violations(page) == []
        form.get_by_role("button", name="Save").click()
        card = page.get_by_role("region", name="Node")
        expect(card).to_contain_text(server.url)
        card.get_by_text("Addresses for the provider").click()
        expect(card).to_contain_text(f"{site.url}/sign-in/node")
        card.get_by_text("Keep people up to date (SCIM)").click()
        expect(card).to_contain_text("It keeps nobody up to date yet.")
        card.get_by_role("button", name="Make a token").click()
        first = card.get_by_test_id("scim-token").input_value()
        expect(card).to_contain_text("last used: never")
        card.get_by_role("button", name="Make a new token").click()
        page.get_by_role("dialog").get_by_role("button", name="Make a new token").click()
        expect(card.get_by_test_id("scim-token")).not_to_have_value(first)
        assert violations(page) == []
        card.get_by_role("button", name="End the token").click()
        page.get_by_role("dialog").get_by_role("button", name="End the token").click()
        expect(card).to_contain_text("It keeps nobody up to date yet.")
    yield
    with watched_page(chromium, site.url, cookies=root) as page:
        page.goto("/admin/providers")
        page.get_by_role("button", name="Remove Node").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Node was removed.")).to_be_visible()


def sign_in(page: Page, name: str) -> None:
    """On the provider's own pages."""
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("anything")
    page.get_by_role("button", name="Sign-in").click()


@pytest.mark.long
@pytest.mark.usefixtures("added")
def test_a_person_signs_in_shows_who_they_are_and_leaves(site: Site, chromium: Browser) -> None:
    name = f"joan{uuid4().hex[:8]}"
    with watched_page(chromium, site.url) as page:
        page.goto("/glossary")
        page.wait_for_url("**/login")
        expect(page.get_by_role("button", name="Sign in with Node")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Sign in with Node").click()
        sign_in(page, name)
        page.get_by_role("button", name="Continue").click()
        # Where they were going.
        page.wait_for_url("**/glossary")

        page.goto("/settings?section=password")
        expect(page.get_by_text("Your account has no password.")).to_be_visible()
        page.get_by_role("textbox", name="New password").fill(PASSWORD)
        page.get_by_role("textbox", name="Confirm password").fill(PASSWORD)
        page.get_by_role("button", name="Set a password").click()
        expect(page.get_by_role("alert").filter(has_text="You then have ten minutes")).to_be_visible()
        assert violations(page) == []
        page.get_by_role("button", name="Sign in again with Node").click()
        sign_in(page, name)
        page.wait_for_url("**/settings?section=password")
        expect(page.get_by_text("Thank you. You have ten minutes.")).to_be_visible()
        page.get_by_role("textbox", name="New password").fill(PASSWORD)
        page.get_by_role("textbox", name="Confirm password").fill(PASSWORD)
        page.get_by_role("button", name="Set a password").click()
        expect(page.get_by_role("button", name="Change the password")).to_be_visible()

        page.get_by_role("button", name="Your account").click()
        page.get_by_role("menuitem", name="Sign out").click()
        page.get_by_role("button", name="Yes, sign me out").click()
        page.wait_for_url("**/login")
        page.goto("/dashboard")
        page.wait_for_url("**/login")


@pytest.mark.long
@pytest.mark.usefixtures("added")
def test_an_account_is_linked_after_its_password(site: Site, chromium: Browser, tmp_path: Path) -> None:
    name = f"ada{uuid4().hex[:8]}"
    site.sign_up("Ada", tmp_path / "ada.json", f"{name}@example.com")
    with watched_page(chromium, site.url) as page:
        page.goto("/login")
        page.get_by_role("button", name="Sign in with Node").click()
        sign_in(page, name)
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Is this your account?")).to_be_visible()
        assert violations(page) == []
        page.locator("input[name=password]").fill("not this one")
        page.get_by_role("button", name="Link and sign in").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.locator("input[name=password]").fill(PASSWORD)
        page.get_by_role("button", name="Link and sign in").click()
        page.wait_for_url("**/dashboard")
        page.goto("/settings?section=password")
        section = page.get_by_role("region", name="Single sign-on")
        expect(section).to_contain_text(f"{name}@example.com")
        section.get_by_role("button", name="Remove the link to Node").click()
        dialog = page.get_by_role("dialog")
        dialog.locator("input[name=identity_password]").fill(PASSWORD)
        dialog.get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Node is no longer linked.")).to_be_visible()
        expect(section.get_by_role("button", name="Link Node")).to_be_visible()


@pytest.mark.usefixtures("added")
def test_whoever_gives_up_reads_so(site: Site, chromium: Browser) -> None:
    with watched_page(chromium, site.url) as page:
        page.goto("/login")
        page.get_by_role("button", name="Sign in with Node").click()
        page.get_by_role("link", name="[ Cancel ]").click()
        expect(page.get_by_role("alert")).to_contain_text("Node did not let you in.")
        assert violations(page) == []
        page.get_by_role("link", name="Go to the sign-in page").click()
        page.wait_for_url("**/login")
