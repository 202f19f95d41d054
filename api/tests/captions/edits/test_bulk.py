"""The action `Change`: many lines as one step of the history."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select

from api.content.captions import service
from api.content.captions.editing.edits import CaptionEdit
from api.content.captions.editing.writing import WritePlan
from api.content.captions.models import CaptionRevision
from api.people.auth.viewer import Viewer
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, ada.user_id)
    return await Editor(ada, file.slug).look()


def words(page: Editor) -> list[tuple[str, int, int]]:
    return [(word["text"], word["start_ms"], word["end_ms"]) for line in page.lines for word in line["words"]]


async def test_many_changes_are_one_step(page: Editor, state: AppState) -> None:
    ids = [line["id"] for line in page.lines]
    last = page.lines[-1]["end_ms"]
    added = {"new_line": str(uuid.uuid4()), "start": last + 500, "end": last + 1_500, "content": "The end."}
    more: dict[str, Any] = {
        "changes": [{"line": ids[0], "content": "Written anew."}],
        "removed": [ids[1]],
        "added": [added],
    }
    await page.save("Change", label="Several changes", **more)
    assert (await page.look()).texts == ["Written anew.", *SENTENCES[2:], "The end."]
    async with state.database.read() as session:
        assert await session.scalar(select(CaptionRevision.label)) == "Several changes"
    await page.save("Undo")
    assert (await page.look()).texts == list(SENTENCES)


async def test_a_plan_from_before_somebody_elses_change_is_left_aside(ada: Browser, state: AppState) -> None:
    """A large change is computed before it holds the lock that others wait for."""
    file = await captioned_file(state, ada.user_id, *(f"Line {number}." for number in range(202)))
    page = await Editor(ada, file.slug).look()
    changes = [{"line": line["id"], "content": f"New {at}."} for at, line in enumerate(page.lines[:200])]
    body = {"action": "Change", "label": "All", "issued": 0, "changes": changes}
    request = CaptionEdit.model_validate(body).root
    viewer = Viewer(user_id=ada.user_id, is_admin=False, team_id=None)
    async with state.database.read() as session:
        plan = await service.plan_of(session, viewer, file.slug, request)
    assert isinstance(plan, WritePlan)
    await page.save("Edit", 201, content="Theirs.")
    async with state.database.write() as session:
        change = await service.edit(session, viewer, file.slug, request, plan)
    await page.look()
    assert (change.revision, page.data["revision"]) == (2, 2)
    assert page.texts == [*(f"New {at}." for at in range(200)), "Line 200.", "Theirs."]
    assert {line["revision"] for line in page.lines[:200]} == {2}
    await page.save("Undo")
    assert (await page.look()).texts == [*(f"Line {at}." for at in range(201)), "Theirs."]


async def test_a_word_keeps_its_time_when_it_goes_to_the_next_line(page: Editor) -> None:
    before = words(page)
    first, second = page.lines[:2]
    *head, tail = first["text"].split(" ")
    changes = [
        {"line": first["id"], "content": " ".join(head)},
        {"line": second["id"], "content": f"{tail} {second['text']}"},
    ]
    await page.save("Change", label="Push the last word down", changes=changes)
    await page.look()
    assert page.lines[1]["text"].startswith(tail)
    assert words(page) == before


async def test_lines_move_together_with_their_words(page: Editor) -> None:
    before = words(page)
    moved = [{"line": line["id"], "start": line["start_ms"] + 700, "end": line["end_ms"] + 700} for line in page.lines]
    await page.save("Change", label="Shift", changes=moved, with_words=True)
    await page.look()
    assert words(page) == [(text, start + 700, end + 700) for text, start, end in before]


async def test_what_does_not_fit_changes_nothing(page: Editor) -> None:
    first, second = page.lines[:2]
    answer = await page.post(
        "Change", None, label="Move", changes=[{"line": first["id"], "end": second["start_ms"] + 1}]
    )
    assert answer.status_code == 422
    assert answer.json()["message"].endswith("would overlap the line after it, so nothing was changed.")
    assert (await page.post("Change", None, label="x", removed=[first["id"]] * 2)).status_code == 422
    assert (await page.post("Change", None, label="", removed=[first["id"]])).status_code == 422
    gone = await page.post("Change", None, label="x", removed=[str(uuid.uuid4())])
    assert gone.status_code == 409
    assert (await page.look()).texts == list(SENTENCES)


async def test_a_line_that_somebody_changed_stops_the_whole_change(page: Editor, ada: Browser) -> None:
    other = await Editor(ada, page.data["file_slug"]).look()
    await other.save("Edit", 1, content="Changed by another window.")
    changes = [{"line": line["id"], "content": "Mine."} for line in page.lines]
    answer = await page.post("Change", None, label="Replace", changes=changes)
    assert answer.status_code == 409
    assert answer.json()["data"]["line"]["text"] == "Changed by another window."
    untouched = [{"line": page.lines[0]["id"], "content": "Mine."}]
    assert (await page.post("Change", None, label="Replace", changes=untouched)).status_code == 200
