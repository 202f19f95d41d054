"""Commands of an editor that does not wait for answers. It names new lines, and may repeat a command."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from api.content.captions.errors import TAKEN_ID
from api.content.captions.speech.jobs import NO_SPEECH
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, ada.user_id)
    return await Editor(ada, file.slug).look()


def new_id() -> str:
    return str(uuid.uuid4())


async def test_split_and_add_use_the_id_from_the_editor(page: Editor) -> None:
    tail, added = new_id(), new_id()
    await page.save("Split", 0, at=len("The harbour"), new_line=tail)
    assert page.lines[1]["id"] == tail
    await page.save("Edit", tail, content="is open today.")
    await page.save("Add", start=20_000, end=22_000, content="New", new_line=added)
    await page.save("Edit", added, content="New line")
    assert (await page.look()).texts == ["The harbour", "is open today.", *SENTENCES[1:], "New line"]


async def test_an_id_in_use_by_any_file_is_refused(page: Editor, bob: Browser, state: AppState) -> None:
    other = await Editor(bob, (await captioned_file(state, bob.user_id, "Bob said this.")).slug).look()
    for taken in (page.lines[1]["id"], other.lines[0]["id"]):
        for action, line, more in (("Split", 0, {"at": 5}), ("Add", None, {"start": 20_000, "end": 21_000})):
            answer = await page.post(action, line, new_line=taken, **more)
            assert (answer.status_code, answer.json()["message"]) == (422, TAKEN_ID)
    assert (await page.look()).texts == list(SENTENCES)
    assert (await other.look()).texts == ["Bob said this."]


async def test_a_repeated_command_gets_its_first_answer_and_changes_nothing(page: Editor) -> None:
    first = page.lines[0]["id"]
    commands: list[tuple[str, str | None, dict[str, object]]] = [
        ("Split", first, {"at": 11, "content": SENTENCES[0], "new_line": new_id()}),
        ("Merge", first, {}),
        ("Edit", first, {"content": "Written anew."}),
        ("Add", None, {"start": 20_000, "end": 22_000, "content": "More", "new_line": new_id()}),
        ("Delete", page.lines[2]["id"], {}),
        ("Undo", None, {}),
        ("Redo", None, {}),
    ]
    for action, line, more in commands:
        more = {**more, "command": new_id()}
        sent = await page.post(action, line, **more)
        assert sent.status_code == 200, sent.text
        after = await page.browser.get(page.path)
        # The page got no answer, so it repeats the command with the old revision.
        again = await page.post(action, line, **more)
        assert again.json() == sent.json(), action
        assert (await page.browser.get(page.path)).json() == after.json()
        await page.look()
    assert page.texts == ["Written anew.", SENTENCES[1], "More"]


async def test_concurrent_repeats_of_a_command_apply_once(page: Editor) -> None:
    more = {"at": 11, "new_line": new_id(), "command": new_id()}
    answers = await asyncio.gather(*(page.post("Split", 0, **more) for _ in range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.text for answer in answers}) == 1
    assert (await page.look()).texts == ["The harbour", "is closed today.", *SENTENCES[1:]]
    assert page.data["revision"] == 1


async def test_an_import_removes_the_no_speech_note(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await finish(state, job, result())
    path = f"/api/files/{file.slug}"
    assert (await ada.get(path)).json()["data"]["engine_note"] == NO_SPEECH
    page = await Editor(ada, file.slug).look()
    subtitles = b"1\n00:00:01,000 --> 00:00:02,000\nImported\n"
    answer = await ada.post(f"{page.path}/import", files={"file": ("a.srt", subtitles)})
    assert answer.status_code == 200, answer.text
    assert (await ada.get(path)).json()["data"]["engine_note"] is None
