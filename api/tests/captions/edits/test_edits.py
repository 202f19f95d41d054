"""Edits of captions: each action, conflicts, and no saved change lost."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from api.content.captions.editing.steps import NOTHING_TO_REDO, NOTHING_TO_UNDO
from api.content.captions.errors import CHANGED_SINCE, GONE, OTHER_LANGUAGE, STALE, STILL_LIVE
from api.content.captions.history import replay
from api.content.captions.models import CaptionRevision
from api.content.files.queries import FILE_NOT_FOUND
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file, transcribing_file


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, ada.user_id)
    return await Editor(ada, file.slug).look()


async def again(page: Editor) -> Editor:
    """The same captions, opened by another page."""
    return await Editor(page.browser, page.data["file_slug"]).look()


async def test_a_finished_file_shows_its_lines_with_words_and_both_forms_of_time(page: Editor, state: AppState) -> None:
    assert page.texts == list(SENTENCES)
    assert page.data["is_live"] is False
    assert (page.data["revision"], page.data["can_undo"], page.data["can_redo"]) == (0, False, False)
    assert page.data["subtitle"].startswith("1\n00:00:01,000 --> 00:00:02,900\nThe harbour is closed today.\n\n2\n")
    first = page.lines[0]
    assert (first["startTime"], first["startSeconds"], first["start_ms"]) == ("00:00:01,000", 1.0, 1_000)
    assert first["words"][1] == {
        "start_ms": 1_400, "end_ms": 1_700, "text": "harbour", "confidence": 0.9, "origin": "asr"
    }  # fmt: skip


async def test_edit_keeps_the_words_that_stayed_and_is_there_after_a_reload(page: Editor) -> None:
    before = page.lines[0]["words"]
    saved = await page.save("Edit", 0, content="The harbour is open today.", language="en-US")
    assert (saved["revision"], saved["removed"], saved["can_undo"], saved["can_redo"]) == (1, [], True, False)
    words = saved["changed"][0]["words"]
    assert [words[i] for i in (0, 1, 2, 4)] == [before[i] for i in (0, 1, 2, 4)]
    assert (words[3]["text"], words[3]["origin"], words[3]["start_ms"]) == ("open", "human", before[3]["start_ms"])
    assert (await again(page)).data == page.data | {"subtitle": (await again(page)).data["subtitle"]}
    assert "is open today" in (await again(page)).data["subtitle"]


async def test_times_are_accepted_as_text_or_milliseconds(page: Editor) -> None:
    saved = await page.save("Edit", 0, start="00:00:00,500", end=4_000)
    assert (saved["changed"][0]["start_ms"], saved["changed"][0]["end_ms"]) == (500, 4_000)
    saved = await page.save("Edit", 0, start=0, end="00:00:09.000")
    assert (saved["changed"][0]["startTime"], saved["changed"][0]["end_ms"]) == ("00:00:00,000", 6_000)


@pytest.mark.long
async def test_split_merge_add_delete_shift_extend_and_undo_of_them_all(page: Editor) -> None:
    start = page.lines
    states = [page.texts]
    await page.save("Split", 0, at=len("The harbour"))
    assert page.texts[:2] == ["The harbour", "is closed today."]
    assert page.lines[1]["start_ms"] == 1_800
    states.append(page.texts)
    await page.save("Merge", 1)
    assert page.texts == ["The harbour", "is closed today. Nobody knows when it opens.", SENTENCES[2]]
    states.append(page.texts)
    saved = await page.save("Add", start="00:00:20,000", end="00:00:22,000", content="A new line")
    assert [line["text"] for line in saved["changed"]] == ["A new line"]
    states.append(page.texts)
    await page.save("Delete", 0)
    assert page.texts[0].startswith("is closed")
    states.append(page.texts)
    await page.save("Shift", offset=250)
    await page.save("Extend", offset=-100)
    states += [page.texts, page.texts]
    for texts in reversed(states[:-1]):
        await page.save("Undo")
        assert page.texts == texts
    assert page.data["can_undo"] is False
    unmarked = [{**line, "revision": 0} for line in page.lines]
    assert unmarked == start
    assert (await again(page)).lines == page.lines
    for texts in states[1:]:
        await page.save("Redo")
        assert page.texts == texts
    assert (page.data["can_undo"], page.data["can_redo"]) == (True, False)
    assert (await again(page)).lines == page.lines


async def test_split_counts_the_caret_as_browsers_do_and_takes_unsaved_text(page: Editor) -> None:
    saved = await page.save("Split", 0, content="The 😀 harbour is closed today.", at=len("The 😀") + 1)
    assert [line["text"] for line in saved["changed"]] == ["The 😀", "harbour is closed today."]


async def test_merge_with_the_line_before(page: Editor) -> None:
    before = page.lines[0]["id"]
    await page.save("Merge", 1, **{"with": before})
    assert page.texts == [f"{SENTENCES[0]} {SENTENCES[1]}", SENTENCES[2]]
    assert page.lines[0]["id"] == before


@pytest.mark.long
async def test_a_change_after_an_undo_discards_the_redo(page: Editor) -> None:
    await page.save("Edit", 0, content="one")
    await page.save("Edit", 1, content="two")
    await page.save("Undo")
    await page.save("Edit", 2, content="three")
    assert page.data["can_redo"] is False
    answer = await page.post("Redo")
    assert (answer.status_code, answer.json()["message"]) == (422, NOTHING_TO_REDO)
    await page.save("Undo")
    await page.save("Undo")
    assert page.texts == list(SENTENCES)
    assert (await page.post("Undo")).json() == {"status": "Failed", "message": NOTHING_TO_UNDO}
    await page.save("Redo")
    assert page.texts == ["one", *SENTENCES[1:]]
    await page.save("Redo")
    assert page.texts == ["one", SENTENCES[1], "three"]


def test_history_follows_from_the_order_of_changes() -> None:
    made = replay([(1, "Edit"), (2, "Edit"), (3, "Undo"), (4, "Edit"), (5, "Undo"), (6, "Undo"), (7, "Redo")])
    assert (made.done, made.undone) == ((1,), (4,))


@pytest.mark.long
async def test_the_second_of_two_editors_on_one_line_gets_the_newer_text(page: Editor) -> None:
    late = await again(page)
    await page.save("Edit", 0, content="Written first.")
    for action, more in (("Edit", {"content": "Mine"}), ("Delete", {}), ("Merge", {}), ("Split", {"at": 5})):
        answer = await late.post(action, 0, **more)
        body = answer.json()
        assert (answer.status_code, body["status"], body["message"]) == (409, "Conflict", STALE)
        assert body["data"]["revision"] == 1
        assert (body["data"]["line"]["text"], body["data"]["line"]["revision"]) == ("Written first.", 1)
    assert (await again(page)).texts[0] == "Written first."
    # An edit of another line does not conflict, nor does the same text sent twice.
    await late.save("Edit", 1, content="Other line.")
    assert (await late.post("Edit", 0, content="Written first.")).status_code == 200
    # Merging into a line that somebody changed does.
    third = await again(page)
    await page.look()
    await page.save("Edit", 2, content="Newer.")
    assert (await third.post("Merge", 1)).status_code == 409
    assert (await again(page)).texts == ["Written first.", "Other line.", "Newer."]


async def test_a_line_that_is_gone_is_a_conflict_without_a_line(page: Editor) -> None:
    late = await again(page)
    await page.save("Delete", 0)
    answer = await late.post("Edit", 0, content="Mine")
    assert answer.status_code == 409
    assert answer.json() == {"status": "Conflict", "message": GONE, "data": {"revision": 1, "line": None}}


async def test_nobody_undoes_what_they_have_not_seen(page: Editor) -> None:
    late = await again(page)
    await page.save("Edit", 0, content="Unseen.")
    answer = await late.post("Undo")
    assert (answer.status_code, answer.json()["message"]) == (409, CHANGED_SINCE)
    await (await late.look()).save("Undo")
    assert late.texts == list(SENTENCES)


IMPOSSIBLE: list[tuple[str, int | None, dict[str, object], str]] = [
    ("Edit", 0, {"start": "soon"}, "is not a time"),
    ("Edit", 0, {"start": "00:00:05,000", "end": "00:00:04,000"}, "must end after it starts"),
    ("Edit", 0, {"start": -5}, "must lie between"),
    ("Edit", 0, {"end": "123:00:00,000"}, "later than 99:59:59,999"),
    ("Add", None, {"start": "00:00:30,000"}, "needs a start and an end"),
    ("Add", None, {"start": 1_100, "end": 1_500, "content": "x"}, "another line at that time"),
    ("Split", 0, {"at": 0}, "only inside its text"),
    ("Split", 0, {}, "position of the caret"),
    ("Merge", 2, {}, "no next line"),
    ("Shift", None, {"offset": -5_000}, "starts at 00:00:01,000"),
    ("Shift", None, {}, "how many milliseconds"),
    ("Edit", None, {"content": "x"}, "which line"),
    ("Edit", 0, {"language": "is-IS", "content": "x"}, OTHER_LANGUAGE),
]


async def test_impossible_edits_are_refused_with_a_sentence(page: Editor) -> None:
    for action, line, more, sentence in IMPOSSIBLE:
        answer = await page.post(action, line, **more)
        body = answer.json()
        assert (answer.status_code, body["status"]) == (422, "Failed"), (action, more)
        assert sentence in body["message"]
        assert body["message"].endswith(".")
    for nonsense in ({}, {"action": "Explode", "issued": 0}, {"action": "Edit", "issued": "x", "line": "y"}):
        answer = await page.browser.post(page.path, json=nonsense)
        assert answer.status_code == 422
        assert answer.json()["message"].endswith(".")
    assert (await again(page)).lines == page.lines


async def test_none_changes_nothing(page: Editor) -> None:
    saved = await page.save("None")
    assert (saved["revision"], saved["changed"], saved["removed"]) == (0, [], [])


async def test_captions_are_hidden_from_others(page: Editor, bob: Browser) -> None:
    other = Editor(bob, page.data["file_slug"])
    other.data = page.data
    calls = [
        await bob.get(page.path),
        await bob.get(f"{page.path}/download"),
        await bob.post(f"{page.path}/import", files={"file": ("a.srt", b"00:01 --> 00:02\nx")}),
        await other.post("Edit", 0, content="Hacked"),
        await other.post("Undo"),
    ]
    assert [(call.status_code, call.json()["message"]) for call in calls] == [(404, FILE_NOT_FOUND)] * len(calls)
    assert (await bob.get("/api/files/transcriptions/search/harbour")).json()["data"] == []
    assert (await again(page)).texts == list(SENTENCES)


async def test_a_line_of_another_file_cannot_be_reached(page: Editor, state: AppState) -> None:
    file = await captioned_file(state, page.browser.user_id, "Another file.")
    other = await Editor(page.browser, str(file.id)).look()
    assert (await page.post("Edit", other.lines[0]["id"], content="x")).status_code == 409
    assert (await other.look()).texts == ["Another file."]


async def test_captions_cannot_be_changed_while_their_file_is_transcribed(ada: Browser, state: AppState) -> None:
    file, _ = await transcribing_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    answer = await page.post("Add", start=0, end=1_000, content="x")
    assert (answer.status_code, answer.json()["message"]) == (409, STILL_LIVE)


EDITORS = 60


@pytest.mark.long
async def test_sixty_concurrent_edits_are_all_saved(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, *(f"Sentence number {i} is here." for i in range(EDITORS)))
    page = await Editor(ada, file.slug).look()
    assert len(page.lines) == EDITORS
    answers = await asyncio.gather(*(page.post("Edit", i, content=f"Edited {i}") for i in range(EDITORS)))
    assert [answer.status_code for answer in answers] == [200] * EDITORS
    assert sorted(answer.json()["data"]["revision"] for answer in answers) == list(range(1, EDITORS + 1))
    after = await again(page)
    assert after.texts == [f"Edited {i}" for i in range(EDITORS)]
    assert after.data["revision"] == EDITORS
    async with state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(CaptionRevision)) == EDITORS


async def test_concurrent_edits_of_one_line_save_one_and_refuse_the_others(page: Editor) -> None:
    answers = await asyncio.gather(*(page.post("Edit", 0, content=f"Text {i}") for i in range(10)))
    codes = sorted(answer.status_code for answer in answers)
    assert codes == [200] + [409] * 9
    winner = next(answer.json()["data"]["changed"][0]["text"] for answer in answers if answer.status_code == 200)
    assert {a.json()["data"]["line"]["text"] for a in answers if a.status_code == 409} == {winner}
    assert (await again(page)).texts[0] == winner


async def test_a_page_gets_the_first_lines_alone(page: Editor) -> None:
    answer = await page.browser.get(page.path, params={"most": 2})
    first = answer.json()["data"]
    assert first["lines"] == page.lines[:2]
    assert (first["revision"], first["is_live"]) == (page.data["revision"], False)
    assert (await page.browser.get(page.path, params={"most": 0})).status_code == 422
