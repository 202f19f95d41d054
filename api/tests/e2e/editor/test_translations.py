"""Languages side by side: translate, watch, review, edit, refresh and delete, in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.files.transcribed import SENTENCES
from api.testing.in_browser.editor_page import EditorPage, TranslationPage
from api.testing.sites.site import Person, Site
from pipelines.messages.translate import LineFlag

SPANISH = ["El puerto está cerrado hoy.", "Nadie sabe cuándo abre.", "Pregunte de nuevo mañana."]
ARABIC = ["الميناء مغلق اليوم.", "لا أحد يعرف متى يفتح.", "اسأل مرة أخرى صباح الغد."]
JAPANESE = ["港は今日閉まっています。", "いつ開くか誰も知りません。", "明日の朝また聞いてください。"]
LONG_LINES = 5_000
NODES_MAX = 2_500
"""As for one language: the page draws only what is in view."""


@pytest.fixture
def spanish(desk: Page, site: Site, grace: Person) -> TranslationPage:
    """A file whose Spanish captions are ready; its third line is to be checked."""
    slug = site.file(grace.user_id)
    site.translation(grace.user_id, slug, "es", SPANISH, {2: (LineFlag.UNSURE,)})
    return TranslationPage(desk, slug, "es").open()


@pytest.mark.long
def test_a_translation_appears_line_by_line_and_is_edited(desk: Page, site: Site, grace: Person) -> None:
    editor = EditorPage(desk, site.file(grace.user_id)).open()
    desk.get_by_test_id("rail-translate").click()
    dialog = desk.get_by_role("dialog", name="Translate captions")
    languages = dialog.get_by_role("combobox", name="From English (US) into")
    languages.fill("spanish")
    desk.get_by_role("option", name="Spanish", exact=True).click()
    expect(dialog.get_by_test_id("glossary-fact")).to_contain_text("No terms for these languages")
    languages.press("Escape")
    dialog.get_by_test_id("start-translation").click()
    expect(dialog).to_have_count(0)
    page = TranslationPage(desk, editor.slug, "es")
    expect(page.switch).to_have_text("Spanish")
    expect(page.state).to_have_attribute("data-state", "waiting")
    expect(page.gaps).to_have_count(len(SENTENCES))

    site.run_translation(editor.slug, "es", *SPANISH[:2])
    page.open()
    expect(page.state).to_contain_text("2 of 3 lines")
    expect(page.gaps).to_have_count(1)
    expect(page.gaps).to_contain_text("Waiting to be translated")
    expect(desk.get_by_label("Text of line 1")).not_to_be_editable()

    site.finish_translation(editor.slug, "es", SPANISH)
    page.open()
    expect(page.page.get_by_test_id("source")).to_have_text(list(SENTENCES))
    assert page.texts == SPANISH
    page.go_into(1, 5)
    page.type(" lo")
    page.wait_until_saved()
    assert site.translated_texts(editor.slug, "es")[1] == "Nadie lo sabe cuándo abre."
    assert site.texts(editor.slug) == list(SENTENCES)
    page.press("Control+z")
    page.wait_until_saved()
    assert site.translated_texts(editor.slug, "es") == SPANISH


def test_a_changed_original_shows_its_words_and_is_translated_again(spanish: TranslationPage, site: Site) -> None:
    page = spanish.page
    spanish.choose("English (US)")
    expect(page.get_by_test_id("source")).to_have_count(0)
    spanish.go_into(1, 0)
    spanish.press("Control+a")
    spanish.type("Somebody knows when it opens.")
    spanish.wait_until_saved()
    spanish.choose("Spanish")
    changed = page.get_by_test_id("changed")
    expect(changed.locator("del")).to_contain_text("Nobody")
    expect(changed.locator("ins")).to_contain_text("Somebody")
    expect(page.get_by_role("button", name="1 line out of date")).to_be_visible()
    page.get_by_role("button", name="Side by side").click()
    expect(page.get_by_test_id("source")).to_have_count(0)
    expect(changed).to_be_visible()
    page.get_by_role("button", name="Side by side").click()
    page.get_by_test_id("refresh-stale").click()
    expect(spanish.state).to_have_attribute("data-state", "waiting")
    expect(page.get_by_label("Text of line 1")).to_be_editable()
    site.finish_translation(spanish.slug, "es", ["Alguien sabe cuándo abre."])
    spanish.open()
    expect(changed).to_have_count(0)
    assert spanish.texts == [SPANISH[0], "Alguien sabe cuándo abre.", SPANISH[2]]


@pytest.mark.long
def test_lines_that_a_person_wrote_stay_unless_asked(spanish: TranslationPage) -> None:
    page = spanish.page
    spanish.go_into(0, 0)
    spanish.type("¡Atención! ")
    spanish.wait_until_saved()
    spanish.choose("English (US)")
    spanish.go_into(0, 0)
    spanish.type("Attention: ")
    spanish.wait_until_saved()
    spanish.choose("Spanish")
    expect(page.get_by_text("The original changed · written by a person")).to_be_visible()
    page.get_by_test_id("refresh-stale").click()
    question = page.get_by_role("dialog", name="Refresh the translation")
    expect(question).to_contain_text("It stays as it is")
    expect(question.get_by_role("button", name="Nothing else to translate")).to_be_disabled()
    question.get_by_role("checkbox", name="Translate it again too").check()
    question.get_by_role("button", name="Translate 1 line").click()
    expect(spanish.state).to_have_attribute("data-state", "waiting")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(spanish.state).to_have_attribute("data-state", "cancelled")
    assert spanish.texts[0] == f"¡Atención! {SPANISH[0]}"


@pytest.mark.long
def test_a_person_says_that_a_line_is_still_right(spanish: TranslationPage) -> None:
    page = spanish.page
    spanish.choose("English (US)")
    spanish.go_into(1, 0)
    spanish.type("Look: ")
    spanish.wait_until_saved()
    spanish.choose("Spanish")
    page.get_by_role("button", name="Line 2 is still right").click()
    expect(page.get_by_test_id("changed")).to_have_count(0)
    expect(spanish.state).not_to_contain_text("out of date")
    assert spanish.texts == SPANISH


@pytest.mark.long
def test_flags_lead_to_their_lines(spanish: TranslationPage) -> None:
    page = spanish.page
    expect(page.get_by_test_id("translation-marks")).to_have_text("Unsure")
    page.get_by_role("button", name="1 line to check").click()
    assert spanish.focus == "line 2"


@pytest.mark.long
def test_a_deleted_language_comes_back(spanish: TranslationPage) -> None:
    page = spanish.page
    spanish.switch.click()
    page.get_by_role("menuitem", name="Delete the captions in Spanish").click()
    expect(spanish.switch).to_have_text("English (US)")
    deleted = page.get_by_role("status").filter(has_text="The captions in Spanish were deleted.")
    expect(page.get_by_label("Text of line 1")).to_have_value(SENTENCES[0])
    assert spanish.texts == list(SENTENCES)
    # The editor has a button of that name too, as soon as its lines are there.
    deleted.get_by_role("button", name="Undo", exact=True).click()
    expect(spanish.switch).to_have_text("Spanish")
    expect(page.get_by_label("Text of line 1")).to_have_value(SPANISH[0])


@pytest.mark.long
def test_each_script_has_its_direction_and_reading_speed(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    site.translation(grace.user_id, slug, "ar", ARABIC)
    site.translation(grace.user_id, slug, "ja", JAPANESE)
    TranslationPage(desk, slug, "ar").open()
    box = desk.get_by_label("Text of line 1")
    assert box.evaluate("box => getComputedStyle(box).direction") == "rtl"
    expect(box).to_have_attribute("lang", "ar")
    expect(desk.get_by_test_id("line-quality").first).to_contain_text("/42")
    TranslationPage(desk, slug, "ja").open()
    quality = desk.get_by_test_id("line-quality").first
    expect(quality).to_contain_text("12/23")
    expect(quality.get_by_label("Too fast to read")).to_be_visible()


@pytest.mark.long
def test_captions_of_a_language_are_downloaded_and_imported(spanish: TranslationPage, tmp_path: Path) -> None:
    page = spanish.page
    page.get_by_role("button", name="Import and download").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Download SRT").click()
    assert SPANISH[1] in Path(download.value.path()).read_text()
    mine = tmp_path / "mine.srt"
    mine.write_text("1\n00:00:01,000 --> 00:00:02,000\nTraducido por mí\n")
    page.get_by_test_id("import-input").set_input_files(mine)
    expect(page.get_by_label("Text of line 1")).to_have_value("Traducido por mí")
    expect(spanish.gaps).not_to_have_count(0)
    spanish.choose("English (US)")
    assert spanish.texts == list(SENTENCES)


@pytest.mark.long
def test_5000_lines_in_two_languages_draw_only_what_is_in_view(desk: Page, site: Site, grace: Person) -> None:
    slug = site.long_file(grace.user_id, 4, LONG_LINES)
    site.translation(grace.user_id, slug, "es", [f"Línea {number}" for number in range(LONG_LINES)])
    page = TranslationPage(desk, slug, "es").open()
    assert desk.evaluate("document.querySelectorAll('*').length") < NODES_MAX
    desk.get_by_role("list", name="Caption lines").evaluate("list => list.scrollTo(0, list.scrollHeight)")
    last = desk.get_by_label(f"Text of line {LONG_LINES}")
    last.focus()
    page.press("Control+End")
    page.type("!")
    expect(last).to_have_value(f"Línea {LONG_LINES - 1}!")
    page.wait_until_saved()
    assert desk.evaluate("document.querySelectorAll('*').length") < NODES_MAX


@pytest.mark.long
def test_on_a_phone_the_original_stands_above_its_translation(spanish: TranslationPage) -> None:
    page = spanish.page
    page.set_viewport_size({"width": 360, "height": 740})
    source, box = page.get_by_test_id("source").first, page.get_by_label("Text of line 1")
    above, below = source.bounding_box(), box.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"] + 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.long
def test_the_file_says_which_languages_it_has(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    site.translation(grace.user_id, slug, "es", SPANISH)
    site.begin_translation(grace.user_id, slug, "de")
    desk.goto("/dashboard")
    card = desk.locator(f"[data-slug='{slug}']")
    expect(card.get_by_test_id("activity")).to_have_text("Translating to German 0%")
    tracks = card.get_by_test_id("tracks")
    expect(tracks.get_by_role("link")).to_have_count(3)
    desk.goto(f"/captions/processing/{slug}")
    section = desk.get_by_test_id("translations")
    expect(section).to_contain_text("3 lines")
    section.get_by_role("button", name="Cancel the translation into German").click()
    expect(section.get_by_role("link", name="Spanish")).to_be_visible()
    section.get_by_role("link", name="Spanish").click()
    desk.wait_for_url(re.compile(r"language=es"))
    expect(desk.get_by_label("Text of line 1")).to_have_value(SPANISH[0])
