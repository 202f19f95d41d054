"""Versions of captions: the history, snapshots, and restoring all lines or some."""

from __future__ import annotations

from typing import Any

import pytest

from api.content.captions import queries
from api.content.captions.errors import CHANGED_SINCE
from api.content.captions.versions.past import PRUNED
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.captions.edits.restoring import SAME


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    return await Editor(ada, (await captioned_file(state, ada.user_id)).slug).look()


async def versions(page: Editor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await page.browser.get(f"{page.path}/versions")).json()["data"]["versions"]
    return found


async def texts_of(page: Editor, number: int) -> list[str]:
    answer = await page.browser.get(f"{page.path}/versions/{number}")
    assert answer.status_code == 200, answer.text
    return [line["text"] for line in answer.json()["data"]["lines"]]


async def restore(page: Editor, number: int, **more: Any) -> Any:
    body = {"issued": page.data["revision"], **more}
    return await page.browser.post(f"{page.path}/versions/{number}/restore", json=body)


async def test_every_version_shows_its_lines_through_undo_shift_split_and_merge(page: Editor) -> None:
    states = [(page.texts, [line["start_ms"] for line in page.lines])]
    for action, line, more in (
        ("Edit", 0, {"content": "The harbour is open today."}),
        ("Split", 1, {"at": 6}),
        ("Shift", None, {"offset": 500}),
        ("Undo", None, {}),
        ("Redo", None, {}),
        ("Merge", 0, {}),
        ("Undo", None, {}),
        ("Extend", None, {"offset": 300}),
        ("Delete", 2, {}),
    ):
        await page.save(action, line, **more)
        states.append((page.texts, [each["start_ms"] for each in page.lines]))
    for number, (texts, starts) in enumerate(states):
        lines = (await page.browser.get(f"{page.path}/versions/{number}")).json()["data"]["lines"]
        assert ([each["text"] for each in lines], [each["start_ms"] for each in lines]) == (texts, starts)
    listed = await versions(page)
    assert [each["number"] for each in listed] == list(range(9, -1, -1))
    assert [each["action"] for each in listed][:2] == ["Delete", "Extend"]
    assert all(each["is_you"] and each["by"] and each["is_readable"] for each in listed[:-1])


async def test_the_history_says_which_line_changed_and_how(page: Editor) -> None:
    first = page.lines[0]
    await page.save("Edit", 0, content="The harbour is open today.")
    await page.save("Undo", None)
    await page.save("Redo", None)
    await page.save("Delete", 1)
    await page.save("Undo", None)
    await page.save("Shift", None, offset=500)
    shifted, back, deleted, redone, undone, edited, _ = await versions(page)
    then, now = SENTENCES[0], "The harbour is open today."
    line = {"lines": 1, "line": first["id"], "start_ms": first["start_ms"]}
    assert edited["change"] == {**line, "before": then, "after": now}
    assert (undone["step_of"], undone["change"]) == (1, {**line, "before": now, "after": then})
    assert (redone["step_of"], redone["change"]) == (1, {**line, "before": then, "after": now})
    assert (deleted["change"]["before"], deleted["change"]["after"]) == (SENTENCES[1], None)
    assert (back["step_of"], back["change"]["before"], back["change"]["after"]) == (4, None, SENTENCES[1])
    assert shifted["change"] is None


async def test_the_history_lists_a_change_whose_lines_are_packed_but_few(ada: Browser, state: AppState) -> None:
    """Listing it failed with 500: packed lines of 200 short captions are small enough to be compared."""
    file = await captioned_file(state, ada.user_id, *(f"Line {number}." for number in range(110)))
    page = await Editor(ada, file.slug).look()
    changes = [{"line": line["id"], "content": f"New {at}."} for at, line in enumerate(page.lines)]
    await page.save("Change", label="All", changes=changes)
    changed, _ = await versions(page)
    assert (changed["change"]["lines"], changed["change"]["after"]) == (110, "New 0.")


async def test_restoring_is_one_undoable_change_and_keeps_what_was_there(page: Editor) -> None:
    await page.save("Edit", 0, content="Wrong.")
    await page.save("Delete", 2)
    assert (await restore(page, 0)).status_code == 200
    assert (await page.look()).texts == list(SENTENCES)
    assert [(each["name"], each["is_automatic"]) for each in await versions(page) if each["name"]] == [("0", True)]
    await page.save("Undo")
    assert page.texts == ["Wrong.", SENTENCES[1]]
    answer = await restore(page, page.data["revision"])
    assert (answer.status_code, answer.json()["message"]) == (422, SAME)


async def test_one_line_returns_between_the_others(page: Editor) -> None:
    first, last = page.lines[0]["id"], page.lines[2]
    await page.save("Edit", 0, content="Wrong.")
    await page.save("Delete", 2)
    await page.save("Add", start=last["start_ms"] + 500, end=last["end_ms"], content="In its way")
    answer = await restore(page, 0, lines=[last["id"]])
    assert answer.status_code == 200, answer.text
    (line,) = answer.json()["data"]["changed"]
    assert (line["text"], line["end_ms"]) == (SENTENCES[2], last["start_ms"] + 500)
    assert (await page.look()).texts == ["Wrong.", SENTENCES[1], SENTENCES[2], "In its way"]
    await restore(page, 0, lines=[first])
    assert (await page.look()).texts[0] == SENTENCES[0]


async def test_a_named_version_outlives_its_history(page: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "HISTORY_STEPS_MAX", 5)
    kept = await page.browser.post(f"{page.path}/versions", json={"name": "Sent to the client"})
    assert kept.status_code == 201, kept.text
    for number in range(8):
        await page.save("Edit", 0, content=f"Text {number}")
    listed = await versions(page)
    (named,) = [each for each in listed if each["name"]]
    assert (named["number"], named["name"], named["is_readable"]) == (0, "Sent to the client", True)
    assert await texts_of(page, 0) == list(SENTENCES)
    gone = await page.browser.get(f"{page.path}/versions/2")
    assert (gone.status_code, gone.json()["message"]) == (404, PRUNED)
    assert (await page.browser.delete(f"{page.path}/versions/0")).status_code == 200
    assert (await page.browser.get(f"{page.path}/versions/0")).status_code == 404


async def test_a_page_that_missed_a_change_restores_nothing(page: Editor) -> None:
    other = await Editor(page.browser, page.data["file_slug"]).look()
    await other.save("Edit", 0, content="Meanwhile.")
    answer = await restore(page, 0)
    assert (answer.status_code, answer.json()["message"]) == (409, CHANGED_SINCE)


async def test_newer_lines_are_those_of_later_changes(page: Editor) -> None:
    other = await Editor(page.browser, page.data["file_slug"]).look()
    gone = page.lines[2]["id"]
    await other.save("Edit", 0, content="Meanwhile.")
    await other.save("Delete", 2)
    await other.save("Undo")
    await other.save("Delete", 2)
    newer = (await page.browser.get(f"{page.path}/newer", params={"since": 0})).json()["data"]
    assert ([line["text"] for line in newer["changed"]], newer["removed"]) == (["Meanwhile."], [gone])
    assert (newer["revision"], newer["can_undo"], newer["is_whole"]) == (4, True, False)
    assert (await page.browser.get(f"{page.path}/newer", params={"since": 9})).json()["data"]["is_whole"] is True


async def test_strangers_see_no_versions(page: Editor, bob: Browser) -> None:
    for path in ("versions", "versions/0", "newer?since=0"):
        assert (await bob.get(f"{page.path}/{path}")).status_code == 404
    body = {"issued": 0}
    assert (await bob.post(f"{page.path}/versions/0/restore", json=body)).status_code == 404
