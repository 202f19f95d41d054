"""Bounds of captions: moves of all lines, the length of the history, sizes, times, and lines older than the limits."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from sqlalchemy import insert, select

from api.content.captions import queries
from api.content.captions.editing.steps import NOTHING_TO_REDO, NOTHING_TO_UNDO
from api.content.captions.errors import CHANGED_SINCE, NOT_YET, OTHER_LANGUAGE
from api.content.captions.models import CaptionLineRow, CaptionRevision
from api.content.captions.service import FULL
from api.content.files.queries import FILE_NOT_FOUND
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.captions.limits import LINE_CHARS_MAX, LINES_MAX, TIME_MS_MAX


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, ada.user_id)
    return await Editor(ada, file.slug).look()


async def revisions(state: AppState) -> list[CaptionRevision]:
    async with state.database.read() as session:
        return list(await session.scalars(select(CaptionRevision).order_by(CaptionRevision.number)))


def without_revisions(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**line, "revision": 0} for line in lines]


async def test_a_shift_moves_lines_and_words_and_stores_no_line_in_the_history(page: Editor, state: AppState) -> None:
    start = page.lines
    await page.save("Shift", offset=250)
    assert [line["start_ms"] for line in page.lines] == [line["start_ms"] + 250 for line in start]
    assert [w["start_ms"] for w in page.lines[0]["words"]] == [w["start_ms"] + 250 for w in start[0]["words"]]
    assert (await Editor(page.browser, page.data["file_slug"]).look()).lines == page.lines
    # An edit after the shift keeps the moved times of the words it leaves alone.
    await page.save("Edit", 0, content="The harbour is open today.")
    assert page.lines[0]["words"][1]["start_ms"] == start[0]["words"][1]["start_ms"] + 250
    await page.save("Undo")
    await page.save("Extend", offset=400)
    assert [line["end_ms"] for line in page.lines] == [line["end_ms"] + 650 for line in start]
    await page.save("Undo")
    await page.save("Undo")
    assert without_revisions(page.lines) == without_revisions(start)
    await page.save("Redo")
    assert page.lines[0]["start_ms"] == start[0]["start_ms"] + 250
    assert (await Editor(page.browser, page.data["file_slug"]).look()).lines == page.lines
    for kept in await revisions(state):
        assert kept.action == "Edit" or (kept.before, kept.after) == ([], []), kept.action


async def test_eight_concurrent_moves_apply_once(page: Editor) -> None:
    start = page.lines[0]["start_ms"]
    answers = await asyncio.gather(*(page.post("Shift", offset=100) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert {answer.json()["message"] for answer in answers if answer.status_code == 409} == {CHANGED_SINCE}
    assert (await page.look()).lines[0]["start_ms"] == start + 100
    late = await Editor(page.browser, page.data["file_slug"]).look()
    await page.save("Edit", 0, content="Newer.")
    assert (await late.post("Extend", offset=100)).status_code == 409


async def test_a_revision_that_does_not_exist_yet_is_refused(page: Editor) -> None:
    page.data["revision"] = 1_700_000_000
    for action, more in (("Edit", {"content": "x"}), ("Undo", {}), ("Shift", {"offset": 1}), ("None", {})):
        answer = await page.post(action, 0, **more)
        assert (answer.status_code, answer.json()["message"]) == (422, NOT_YET)
    assert (await page.look()).texts == list(SENTENCES)


@pytest.mark.long
async def test_old_changes_are_pruned(page: Editor, state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "HISTORY_STEPS_MAX", 4)
    for number in range(8):
        await page.save("Edit", 0, content=f"Text {number}")
    assert [kept.number for kept in await revisions(state)] == [5, 6, 7, 8]
    undone = 0
    while page.data["can_undo"]:
        await page.save("Undo")
        undone += 1
    assert undone == 2  # Each undo is a change too, and pushes out the oldest.
    assert page.texts[0] == "Text 5"
    assert (await page.post("Undo")).json()["message"] == NOTHING_TO_UNDO
    # A pruned history offers no step that it would refuse.
    while page.data["can_redo"]:
        await page.save("Redo")
    assert (await page.post("Redo")).json()["message"] == NOTHING_TO_REDO
    shown = (await Editor(page.browser, page.data["file_slug"]).look()).data
    assert (shown["can_undo"], shown["can_redo"]) == (page.data["can_undo"], page.data["can_redo"])


async def test_a_change_too_large_for_the_history_is_saved_but_cannot_be_undone(
    page: Editor, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "HISTORY_BYTES_MAX", 100)
    saved = await page.save("Edit", 0, content="Saved.")
    assert (saved["revision"], saved["can_undo"]) == (1, False)
    assert await revisions(state) == []
    assert (await page.look()).texts[0] == "Saved."


OUT_OF_BOUNDS: list[tuple[str, int | None, dict[str, object]]] = [
    ("Edit", 0, {"content": "x" * (LINE_CHARS_MAX + 1)}),
    ("Add", None, {"start": 40_000, "end": 50_000, "content": "x" * (LINE_CHARS_MAX + 1)}),
    ("Edit", 0, {"end": TIME_MS_MAX + 1}),
    ("Edit", 0, {"end": 2**31}),
    ("Edit", 0, {"end": 10**30}),
    ("Edit", 0, {"start": -1}),
    ("Edit", 0, {"start": 1.5}),
    ("Add", None, {"start": 2**63, "end": 2**64, "content": "x"}),
    ("Split", 0, {"at": 2**70}),
    ("Shift", None, {"offset": 2**40}),
    ("Shift", None, {"offset": TIME_MS_MAX}),
]


async def test_numbers_and_texts_out_of_bounds_are_refused_on_both_databases(page: Editor) -> None:
    for action, line, more in OUT_OF_BOUNDS:
        answer = await page.post(action, line, **more)
        assert answer.status_code == 422, (action, more, answer.text)
        assert answer.json()["message"].endswith(".")
    assert (await page.look()).texts == list(SENTENCES)


async def test_control_characters_never_reach_the_database(page: Editor) -> None:
    await page.save("Edit", 0, content="a\x00b\x1b[31m\x9b\ufffe\r\nc\u00a0d")
    assert page.texts[0] == "ab[31m\nc\u00a0d"


async def test_a_full_file_takes_no_more_lines(page: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.content.captions.service.LINES_MAX", 3)
    for action, line, more in (
        ("Add", None, {"start": 40_000, "end": 41_000, "content": "x"}),
        ("Split", 0, {"at": 11}),
    ):
        answer = await page.post(action, line, **more)
        assert (answer.status_code, answer.json()["message"]) == (422, FULL)
    await page.save("Delete", 0)
    await page.save("Add", start=40_000, end=41_000, content="x")


@pytest.mark.long
async def test_an_import_reports_its_changes_and_refuses_too_many_lines(page: Editor) -> None:
    raw = b'00:00:00,000 --> 00:00:09,000\n<font color="red">one</font>\n\n00:00:05,000 --> 00:00:06,000\ntwo\n'
    answer = await page.browser.post(f"{page.path}/import", files={"file": ("a.srt", raw)})
    assert answer.json()["data"]["notes"] == [
        "1 caption overlapped the next one and now ends where it starts.",
        "Formatting such as colours or fonts was left out of 1 caption.",
    ]
    assert (await page.look()).texts == ["one", "two"]
    many = "".join(f"0:{n // 60}:{n % 60} -->\nx\n" for n in range(LINES_MAX + 1)).encode()
    answer = await page.browser.post(f"{page.path}/import", files={"file": ("a.srt", many)})
    assert (answer.status_code, answer.json()["status"]) == (422, "Failed")
    assert "20,001 captions; 20,000 are the most" in answer.json()["message"]


@pytest.mark.long
async def test_a_file_with_an_overlong_line_can_be_repaired_in_every_way(page: Editor, state: AppState) -> None:
    overlong = "word " * 40_000
    row = {
        "id": uuid.uuid4(), "track_id": uuid.UUID(page.data["id"]), "start_ms": 50_000, "end_ms": 52_000,
        "text": overlong.strip(), "words": [], "doubts": [], "revision": 0,
    }  # fmt: skip
    async with state.database.write() as session:
        await session.execute(insert(CaptionLineRow), [row])
    assert (await page.look()).texts[3] == overlong.strip()
    for action, more in (("Split", {"at": 500}), ("Merge", {"with": page.lines[2]["id"]})):
        answer = await page.post(action, 3, **more)
        assert (answer.status_code, "1,000" in answer.json()["message"]) == (422, True)
    await page.save("Edit", 3, content="Short now.")
    assert page.texts[3] == "Short now."
    await page.save("Undo")
    await page.save("Delete", 3)
    assert page.texts == list(SENTENCES)
    await page.save("Undo")
    await page.save("Shift", offset=10)
    raw = (await page.browser.get(f"{page.path}/download")).text.replace(overlong.strip(), "Mended.")
    answer = await page.browser.post(f"{page.path}/import", files={"file": ("a.srt", raw.encode())})
    assert answer.status_code == 200
    assert (await page.look()).texts == [*SENTENCES, "Mended."]
    await page.save("Undo")
    assert page.texts[3] == overlong.strip()


@pytest.mark.long
async def test_every_caption_call_takes_slug_file_id_and_transcription_id(page: Editor, bob: Browser) -> None:
    transcription = page.data["id"]
    file_id = (await page.browser.get(f"/api/files/{page.data['file_slug']}")).json()["data"]["id"]
    for key in (page.data["file_slug"], file_id, transcription):
        same = await Editor(page.browser, key).look()
        assert same.data["id"] == transcription
        await same.save("Edit", 0, content=f"By {key}")
        text = await page.browser.get(f"{same.path}/download", params={"language": "en-US"})
        assert f"By {key}" in text.text
        answer = await page.browser.post(f"{same.path}/import", files={"file": ("a.srt", text.content)})
        assert answer.status_code == 200
        for call in ("", "/download"):
            wrong = await page.browser.get(same.path + call, params={"language": "is-IS"})
            assert (wrong.status_code, wrong.json()["message"]) == (422, OTHER_LANGUAGE)
    for key in (transcription, str(uuid.uuid4())):
        answer = await bob.get(f"/api/files/captions/{key}")
        assert (answer.status_code, answer.json()["message"]) == (404, FILE_NOT_FOUND)
