"""What a person meets first: a sample of their own, its lines while they come, the doubtful words, the hints."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.pages import WORK_MS, file_status, register

HINTS = 4


def try_sample(page: Page) -> None:
    page.get_by_test_id("try-sample").click()
    page.wait_for_url("**/captions/processing/*", timeout=WORK_MS)
    # The address changes before the page does.
    page.get_by_test_id("open-captions").wait_for()


def test_from_the_sample_to_the_first_doubtful_word(page: Page) -> None:
    register(page, "Sybil")
    try_sample(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Two speakers")
    expect(page.get_by_test_id("live-line").first).to_be_visible(timeout=WORK_MS)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)

    on = page.get_by_test_id("open-captions")
    expect(on).to_have_text("Start correcting")
    on.click()
    review = page.get_by_test_id("panel-review")
    expect(review.get_by_test_id("review-progress")).to_be_visible()
    # The first doubtful word is there, and its line is the selected one.
    expect(review.get_by_role("button", name="Keep", exact=True)).to_be_visible()
    expect(page.locator("[data-testid=caption-line][data-selected]")).to_have_count(1)
    assert "tool=" not in page.url

    page.goto("/dashboard")
    expect(page.get_by_test_id("file")).to_have_count(1)
    # Whoever has a file knows the way.
    expect(page.get_by_test_id("try-sample")).to_have_count(0)


@pytest.mark.long
def test_a_line_of_the_live_view_opens_in_the_editor(page: Page) -> None:
    register(page, "Trudy")
    try_sample(page)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    second = page.get_by_test_id("live-line").nth(1)
    words = second.locator("[dir=auto]").inner_text()
    second.get_by_role("link").click()
    text = page.get_by_label("Text of line 2", exact=True)
    expect(text).to_have_value(words, timeout=WORK_MS)
    expect(page.locator("[data-testid=caption-line][data-selected]").locator(text)).to_have_count(1)
    # Enter goes into the text.
    page.keyboard.press("Enter")
    expect(text).to_be_focused()


@pytest.mark.long
def test_the_hints_go_one_by_one_and_come_back_from_the_menu(page: Page) -> None:
    register(page, "Ursula")
    try_sample(page)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)
    page.get_by_test_id("live-line").first.get_by_role("link").click()
    hints = page.get_by_role("region", name="Hints")
    for at in range(1, HINTS + 1):
        expect(hints).to_contain_text(f"Hint {at} of {HINTS}")
        hints.get_by_role("button", name="Got it" if at == HINTS else "Next").click()
    expect(hints).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("caption-line").first).to_be_visible()
    expect(hints).to_have_count(0)
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Hints for the editor").click()
    expect(hints).to_contain_text(f"Hint 1 of {HINTS}")
    hints.get_by_role("button", name="Close the hints").click()
    expect(hints).to_have_count(0)
