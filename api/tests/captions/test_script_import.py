"""A text without times, imported into captions that were transcribed: it takes the times of what was heard."""

from __future__ import annotations

import pytest

from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from pipelines.captions.script.placed_script import NOTHING_HEARD

SCRIPT = """# Notes for the reader

The harbour is CLOSED today. No body knows when it opens!

This paragraph was cut before the recording was published, and nobody spoke it.

Ask again tomorrow morning.
"""


async def import_text(page: Editor, text: str, status: int = 200) -> str:
    answer = await page.browser.post(f"{page.path}/import", files={"file": ("script.txt", text.encode())})
    assert answer.status_code == status, answer.text
    return answer.text


async def test_the_text_replaces_the_captions_at_their_times_and_can_be_undone(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    before = page.lines
    said = await import_text(page, SCRIPT)
    assert "Not spoken, so left out: “# Notes for the reader”." in said
    assert "Not spoken, so left out: “This paragraph was cut" in said
    lines = (await page.look()).lines
    assert page.texts == ["The harbour is CLOSED today.", "No body knows when it opens!", "Ask again tomorrow morning."]
    assert [line["start_ms"] for line in lines] == [line["start_ms"] for line in before]
    assert [word["start_ms"] for word in lines[0]["words"]] == [word["start_ms"] for word in before[0]["words"]]
    # “Nobody” was heard where “No body” is written: the two share its time, which nobody measured.
    assert [word["start_ms"] for word in lines[1]["words"]][:3] == [6_000, 6_100, 6_400]
    await page.save("Undo")
    assert [{**line, "revision": 0} for line in page.lines] == before


@pytest.mark.long
async def test_speakers_stay_with_their_words(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    captions = (
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada>The harbour is closed today.\n\n"
        "00:06.000 --> 00:08.000\n<v Bob>Nobody knows when it opens.\n"
    )
    await import_text(page, captions)
    await import_text(page, "The harbour is closed today, nobody knows when it opens.")
    lines = (await page.look()).lines
    assert [(line["text"], line["speaker"]) for line in lines] == [
        ("The harbour is closed today,", "S1"),
        ("nobody knows when it opens.", "S2"),
    ]


@pytest.mark.long
@pytest.mark.usefixtures("own_import_process")
async def test_another_text_changes_nothing(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    before = page.lines
    said = await import_text(page, "Wizards juggle quickly before dawn, while dragons sleep.", 422)
    assert "This text is not what is spoken here: 0 of its 8 words were heard." in said
    assert (await page.look()).lines == before


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_without_words_that_were_heard_the_answer_says_what_to_do(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    await import_text(page, "1\n00:00:41,000 --> 00:00:42,000\nTyped by hand\n")
    said = await import_text(page, "Typed by hand", 422)
    assert str(NOTHING_HEARD) in said
