"""A link for somebody without an account: made in the editor, opened elsewhere, used, and revoked."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.in_browser.axe import violations
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import send_events
from api.testing.sites.site import Site

PASSWORD_OF_LINK = "open sesame"


def make_link(page: Page, rights: str, password: str) -> str:
    """Make a link in the dialog of the editor. Returns its path."""
    page.get_by_test_id("open-share").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=rights).check()
    dialog.get_by_label("Password (optional)").fill("short")
    expect(dialog.get_by_text("At least 6 characters.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Make link")).to_be_disabled()
    dialog.get_by_label("Password (optional)").fill(password)
    dialog.get_by_role("button", name="Make link").click()
    expect(dialog.get_by_test_id("review-link")).to_contain_text("Nobody has opened it yet.")
    assert violations(page) == []
    address = urlsplit(dialog.get_by_role("textbox", name="Address of the link: Edit").input_value())
    page.keyboard.press("Escape")
    return f"{address.path}#{address.fragment}"


@pytest.mark.long
def test_somebody_without_an_account_reviews_until_the_link_is_revoked(
    chromium: Browser, site: Site, tmp_path: Path
) -> None:
    cookies = tmp_path / "ada.json"
    slug = site.file(site.sign_up("Ada", cookies), "So the men move on", "Nobody knows when")
    with watched_page(chromium, site.url, cookies=cookies) as own, watched_page(chromium, site.url) as page:
        ada = EditorPage(own, slug).open()
        path = make_link(own, "Edit", PASSWORD_OF_LINK)

        page.goto(path.partition("#")[0])
        expect(page.get_by_role("alert")).to_contain_text("This link is incomplete.")
        page.goto("/")
        page.goto(path)
        expect(page.get_by_role("heading", name="Review captions")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Your name").fill("Rita")
        page.get_by_label("Password of the link").fill("guessed")
        page.get_by_role("button", name="Start review").click()
        expect(page.get_by_role("alert")).to_contain_text("This is not the password of this link.")
        page.get_by_label("Password of the link").fill(PASSWORD_OF_LINK)
        page.get_by_role("button", name="Start review").click()
        lines = page.get_by_test_id("review-line")
        expect(lines).to_have_count(2)
        assert violations(page) == []

        # What is typed outlives a reload, and reaches the editor when it is saved.
        lines.first.get_by_role("button", name="Correct the line").click()
        page.get_by_test_id("correction").fill("So the women move on")
        page.reload()
        expect(page.get_by_test_id("correction")).to_have_value("So the women move on")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_test_id("correction")).to_have_count(0)
        expect(lines.first).to_contain_text("So the women move on")
        assert site.texts(slug)[0] == "So the women move on"
        send_events(site)
        expect(own.locator("textarea").first).to_have_value("So the women move on")

        # A change that the reviewer has not seen is shown before theirs replaces it.
        lines.nth(1).get_by_role("button", name="Correct the line").click()
        ada.go_into(1, 17)
        ada.type(" yet")
        ada.wait_until_saved()
        page.get_by_test_id("correction").fill("Nobody knows why")
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("It now says: Nobody knows when yet")
        page.get_by_role("button", name="Save mine").click()
        expect(page.get_by_test_id("correction")).to_have_count(0)
        expect(lines.nth(1)).to_contain_text("Nobody knows why")
        assert site.texts(slug)[1] == "Nobody knows why"

        lines.first.get_by_role("button", name="Write a note").click()
        page.get_by_label("Your note").fill("Who are they?")
        page.get_by_role("button", name="Send").click()
        expect(lines.first.get_by_test_id("note")).to_contain_text("You")
        assert violations(page) == []
        send_events(site)
        own.get_by_test_id("note-mark").click()
        thread = own.get_by_test_id("notes").get_by_test_id("note")
        expect(thread).to_contain_text("Rita (guest)")
        thread.get_by_role("button", name="Reply").click()
        own.get_by_label("Write an answer").fill("The sailors' wives.")
        own.get_by_role("button", name="Send").click()
        expect(lines.first.get_by_test_id("note")).to_contain_text("The sailors' wives.")

        lines.nth(1).get_by_role("button", name="Correct the line").click()
        page.get_by_test_id("correction").fill("Too late")
        own.get_by_test_id("open-share").click()
        dialog = own.get_by_role("dialog")
        expect(dialog.get_by_test_id("review-link")).to_contain_text("Opened by Rita")
        dialog.get_by_role("button", name="Revoke").click()
        own.get_by_role("dialog", name="Revoke this link?").get_by_role("button", name="Revoke").click()
        expect(dialog.get_by_test_id("review-link")).to_contain_text("Revoked")
        expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("This link no longer works.")
        assert violations(page) == []
        expect(page.get_by_role("region", name="What you had not saved")).to_contain_text("Too late")
