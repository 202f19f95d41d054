"""A sign that stays above while people speak below, through the API, a translation and the files."""

from __future__ import annotations

import uuid

import pytest

from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from pipelines.captions.imports.subtitles import parse_subtitles

TOP = {"align": 8, "x": None, "y": None}


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    """Three lines, and a sign over all of them."""
    file = await captioned_file(state, ada.user_id, "One", "Two", "Three")
    editor = await Editor(ada, file.slug).look()
    end = editor.lines[-1]["end_ms"] + 1_000
    await editor.save("Add", start=0, end=end, content="SIGN", place=TOP)
    return await editor.look()


async def test_a_sign_is_added_where_people_speak(page: Editor) -> None:
    assert [(line["text"], line["place"]) for line in page.lines] == [
        *(("SIGN", TOP), ("One", None), ("Two", None), ("Three", None)),
    ]
    answer = await page.post("Add", start=1_000, end=9_000, content="Another", place={**TOP, "align": 9})
    assert (answer.status_code, answer.json()["message"]) == (
        422,
        "There is another line at that time. Choose a free place or move the other line first.",
    )


async def test_it_does_not_come_down_onto_what_is_said(page: Editor) -> None:
    down = [{"line": page.lines[0]["id"], "place": None}]
    answer = await page.post("Change", label="Down", changes=down)
    assert answer.status_code == 422
    assert "would overlap the line after it" in answer.json()["message"]
    assert (await page.look()).lines[0]["place"] == TOP


async def test_a_line_is_merged_with_the_next_one_that_is_said(page: Editor) -> None:
    await page.save("Merge", 1)
    assert (await page.look()).texts == ["SIGN", "One Two", "Three"]
    answer = await page.post("Merge", 1, **{"with": page.lines[0]["id"]})
    assert answer.json()["message"].startswith("These lines stand in different parts of the picture.")


async def test_the_next_line_that_is_said_comes_after_many_signs(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, "One", "Two")
    page = await Editor(ada, file.slug).look()
    end, start = page.lines[0]["end_ms"], page.lines[1]["start_ms"]
    step = (start - end) // 30
    added = [
        {"new_line": str(uuid.uuid4()), "start": at, "end": at + step, "content": f"SIGN {at}", "place": TOP}
        for at in range(end, start - step, step)
    ]
    assert len(added) > 25
    await page.save("Change", label="Signs", added=added)
    await page.look()
    await page.save("Merge", 0)
    assert [line["text"] for line in (await page.look()).lines if line["place"] is None] == ["One Two"]
    answer = await page.post("Merge", 0)
    assert answer.json()["message"] == "There is no next line to merge with."


async def test_lines_are_extended_up_to_the_next_of_their_lane(page: Editor) -> None:
    ends = [line["end_ms"] for line in page.lines]
    await page.save("Extend", offset=60_000)
    await page.look()
    starts = [line["start_ms"] for line in page.lines]
    assert [line["end_ms"] for line in page.lines] == [
        *(ends[0] + 60_000, starts[2] - 100, starts[3] - 100, ends[3] + 60_000),
    ]
    await page.save("Undo")
    assert [line["end_ms"] for line in (await page.look()).lines] == ends


@pytest.mark.long
@pytest.mark.parametrize("form", ["srt", "vtt", "ass", "ttml", "stl", "json"])
async def test_a_file_with_both_is_imported_again_without_a_change(page: Editor, form: str) -> None:
    answer = await page.browser.get(f"{page.path}/download", params={"format": form})
    assert answer.status_code == 200, answer.text
    found = parse_subtitles(answer.content)
    assert [line.text for line in found.lines] == page.texts
    before = [(line["id"], line["text"], line["place"]) for line in page.lines]
    sent = await page.browser.post(f"{page.path}/import", files={"file": (f"a.{form}", answer.content)})
    assert sent.status_code == 200, sent.text
    assert [(line["id"], line["text"], line["place"]) for line in (await page.look()).lines] == before


async def test_a_forced_line_is_marked_downloaded_alone_and_undone(page: Editor) -> None:
    sign = page.lines[0]["id"]
    await page.save("Change", label="Forced", changes=[{"line": sign, "forced": True}])
    assert [line["forced"] for line in (await page.look()).lines] == [True, False, False, False]
    answer = await page.browser.get(f"{page.path}/download", params={"format": "srt", "only_forced": True})
    assert [line.text for line in parse_subtitles(answer.content).lines] == ["SIGN"]
    assert ".en-US.forced.srt" in answer.headers["content-disposition"]
    notes = await page.browser.get(f"{page.path}/download/notes", params={"format": "vtt"})
    assert "1 caption is forced, which WebVTT cannot say." in notes.json()["data"]
    # What is not in the file loses nothing.
    two = [{"line": page.lines[0]["id"], "forced": False}, {"line": page.lines[1]["id"], "forced": True}]
    await page.save("Change", label="The other", changes=two)
    for only_forced in (False, True):
        answer = await page.browser.get(
            f"{page.path}/download/notes", params={"format": "sbv", "only_forced": only_forced}
        )
        assert ("has a place" in " ".join(answer.json()["data"])) is not only_forced
    await page.save("Undo")
    await page.look()
    await page.save("Undo")
    assert [line["forced"] for line in (await page.look()).lines] == [False] * 4
