"""Locked lines keep their times and texts until somebody unlocks them."""

from __future__ import annotations

import pytest

from api.content.captions.editing.moves import LOCKED_LINES
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.captions.edits.edit import LOCKED


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, ada.user_id)
    return await Editor(ada, file.slug).look()


async def test_a_locked_line_stays_as_it_is(page: Editor) -> None:
    ids = [line["id"] for line in page.lines]
    await page.save("Change", label="Lock 1 line", changes=[{"line": ids[1], "locked": True}])
    assert [line["locked"] for line in (await page.look()).lines[:3]] == [False, True, False]

    for action, more in (("Edit", {"content": "Mine."}), ("Delete", {}), ("Merge", {"with": ids[0]})):
        answer = await page.post(action, 1, **more)
        assert (answer.status_code, answer.json()["message"]) == (422, LOCKED), action
    change = await page.post("Change", None, label="Move", changes=[{"line": ids[1], "start": 1}])
    assert "is locked, so nothing was changed" in change.json()["message"]
    shift = await page.post("Shift", None, offset=500)
    assert (shift.status_code, shift.json()["message"]) == (422, LOCKED_LINES)
    before = page.lines[1]["end_ms"]
    await page.save("Extend", offset=-100)
    assert (await page.look()).lines[1]["end_ms"] == before
    assert page.texts == list(SENTENCES)

    await page.save("Undo")
    await page.save("Undo")
    assert not (await page.look()).lines[1]["locked"]
    await page.save("Edit", 1, content="Mine.")
    assert (await page.look()).texts[1] == "Mine."
