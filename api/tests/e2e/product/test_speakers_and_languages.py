"""A recorded conversation: who speaks is detected, named and translated, as a new person does it in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.files.spoken_video import make_video, text_of
from api.testing.in_browser.pages import CLIPS, WORK_MS, choose_language, file_status, register, uploaded
from api.testing.processes.product import Product

SPANISH = ("Hoy hace buen tiempo.", "Siete botellas verdes estaban sobre el muro.")


@pytest.mark.long
def test_a_conversation_gets_speakers_names_and_another_language(page: Page, product: Product, tmp_path: Path) -> None:
    video = make_video(tmp_path / "call.mp4", CLIPS, sides="LRL")
    register(page, "Hedy")
    choose_language(page, "English (US)")
    page.get_by_role("switch", name="Detect speakers").check(force=True)
    slug = uploaded(page, video)
    expect(file_status(page)).to_have_attribute("data-status", "completed", timeout=WORK_MS)

    page.goto(f"/captions/{slug}")
    chips = page.get_by_test_id("speaker-chip")
    expect(chips).to_have_text(["Speaker 1", "Speaker 2", "Speaker 1"], timeout=WORK_MS)
    page.get_by_role("button", name="Speakers", exact=True).click()
    name = page.get_by_role("textbox", name="Name of Speaker 2")
    name.fill("Grace Hopper")
    name.press("Enter")
    expect(chips).to_have_text(["Speaker 1", "Grace Hopper", "Speaker 1"])
    page.get_by_role("button", name="Close: Speakers").click()

    # The last line is given to the other speaker, and undo takes that back.
    chips.nth(2).click()
    page.get_by_role("menuitem", name="Grace Hopper").first.click()
    expect(chips).to_have_text(["Speaker 1", "Grace Hopper", "Grace Hopper"])
    page.get_by_role("button", name="Undo").click()
    expect(chips).to_have_text(["Speaker 1", "Grace Hopper", "Speaker 1"])
    page.get_by_role("button", name="Speakers", exact=True).click()
    page.get_by_label("From line", exact=True).fill("2")
    page.get_by_label("To line", exact=True).fill("3")
    page.get_by_role("combobox", name="Spoken by").click()
    page.get_by_role("option", name="+ Speaker").click()
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(chips).to_have_text(["Speaker 1", "Speaker 3", "Speaker 3"])
    page.get_by_role("button", name="Undo").click()
    expect(chips).to_have_text(["Speaker 1", "Grace Hopper", "Speaker 1"])
    page.get_by_role("button", name="Close: Speakers").click()
    answer = page.request.get(f"/api/files/captions/{slug}/download?format=srt&speakers=labels")
    assert f"Grace Hopper: {text_of(CLIPS[1])}" in re.sub(r"\s+", " ", answer.text())

    page.get_by_test_id("rail-translate").click()
    languages = page.get_by_role("combobox", name=re.compile("^From English"))
    languages.fill("Spanish")
    page.get_by_role("option", name=re.compile("^Spanish")).first.click()
    # The list stays open for more languages.
    languages.press("Tab")
    page.get_by_test_id("start-translation").click()
    page.get_by_test_id("language-switch").click()
    page.get_by_test_id("language").filter(has_text="Spanish").click()
    lines = page.get_by_test_id("caption-line")
    for number, text in enumerate(SPANISH):
        expect(lines.nth(number).locator("textarea")).to_have_value(
            re.compile(r"\s+".join(text.split())), timeout=WORK_MS
        )
