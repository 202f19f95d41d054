"""Changes of many lines: computed by a process of their own, while other people go on."""

from __future__ import annotations

import asyncio
import os
import uuid
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from api.content.captions.editing import large_command as command
from api.content.captions.errors import CHANGED_SINCE
from api.content.captions.models import CaptionLineRow, CaptionRevision, CaptionTrack
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from api.testing.processes.suspension import processes_below, suspended
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.timestamps import format_time

LINES = 110
"""Before and after an import these are enough for a revision to pack them."""
CHILD = "api.content.captions.large.child"


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every change of captions counts as one of many lines."""
    monkeypatch.setattr(command, "LARGE_LINES", 1)
    monkeypatch.setattr("api.content.captions.editing.steps.LARGE_BYTES", 0)


def srt(word: str, *, shift_ms: int = 0, lines: int = LINES) -> bytes:
    times = [(at * 5_000 + shift_ms, at * 5_000 + 2_500 + shift_ms) for at in range(lines)]
    cues = [f"{format_time(start)} --> {format_time(end)}\n{word} {at}.\n" for at, (start, end) in enumerate(times)]
    return "\n".join(cues).encode()


async def import_file(page: Editor, content: bytes) -> httpx2.Response:
    return await page.browser.post(f"{page.path}/import", files={"file": ("lines.srt", content)})


async def editor(browser: Browser, state: AppState, lines: int = LINES) -> Editor:
    file = await captioned_file(state, browser.user_id, *(f"Spoken line {at}." for at in range(lines)))
    return await Editor(browser, file.slug).look()


def is_child(command: list[str]) -> bool:
    return CHILD in command


async def until_computing() -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not processes_below(os.getpid(), is_child):
            await asyncio.sleep(0.01)


def without_ids(page: Editor) -> list[dict[str, Any]]:
    return [{**line, "id": None} for line in page.lines]


async def work(page: Editor) -> list[Any]:
    """Every command that changes many lines; returns what each left."""
    states: list[Any] = []

    async def note(answer: httpx2.Response | None = None) -> None:
        assert answer is None or answer.status_code == 200, answer.text
        shown = None if answer is None else answer.json()["data"]
        counted = (
            [len(shown["changed"]), len(shown["removed"])] if isinstance(shown, dict) and "changed" in shown else []
        )
        states.append((without_ids(await page.look()), page.data["revision"], page.data["can_redo"], counted))

    slug, path = page.data["file_slug"], page.path
    for word in ("First", "Second"):
        await note(await import_file(page, srt(word)))
    await note(await import_file(page, srt("Third", shift_ms=700, lines=12)))
    await note(await page.post("Undo"))
    await note(await page.post("Redo"))
    await note(await page.post("Shift", offset=1_500))
    await note(await page.post("Undo"))
    changes = [{"line": line["id"], "content": f"Changed {at}."} for at, line in enumerate(page.lines[:8])]
    more: dict[str, Any] = {"removed": [page.lines[9]["id"]], "label": "Several"}
    await note(await page.post("Change", changes=changes, **more))
    await note(await page.post("Undo"))
    await note(await page.post("Redo"))
    targets = [{"slug": slug, "language": page.data["language"]}]
    replaced = await page.browser.post(
        "/api/captions/replace", json={"query": "Changed", "replacement": "Replaced", "targets": targets}
    )
    states.append([{**each, "slug": None} for each in replaced.json()["data"]])
    await note(replaced)
    speakers = f"/api/files/speakers/{slug}"
    for lines in (page.lines[:4], page.lines[4:8]):
        await note(
            await page.browser.post(
                f"{speakers}/lines", json={"lines": [each["id"] for each in lines], "speaker": "new"}
            )
        )
    await note(await page.browser.post(f"{speakers}/S2/merge", json={"into": "S1"}))
    await note(await page.browser.post(f"{path}/recut", json={"issued": page.data["revision"]}))
    await note(await page.browser.post(f"{path}/versions/2/restore", json={"issued": page.data["revision"]}))
    await note(await page.post("Undo"))
    listed = (await page.browser.get(f"{path}/versions")).json()["data"]["versions"]
    states.append([(each["number"], each["action"], each["label"], each["name"], each["is_undone"]) for each in listed])
    for each in listed:
        then = (await page.browser.get(f"{path}/versions/{each['number']}")).json()["data"]["lines"]
        states.append([(line["start_ms"], line["end_ms"], line["text"]) for line in then])
    return states


@pytest.mark.long
async def test_a_process_changes_what_the_web_process_would(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = await work(await editor(ada, state))
    monkeypatch.setattr(command, "LARGE_LINES", 1)
    monkeypatch.setattr("api.content.captions.editing.steps.LARGE_BYTES", 0)
    found = await work(await editor(ada, state))
    # Not one assertion: pytest takes minutes to describe how two such lists differ.
    differs = [at for at, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    assert not differs


async def test_other_people_write_while_a_large_change_is_computed(
    ada: Browser, bob: Browser, state: AppState, large: None
) -> None:
    page, other = await editor(ada, state), await editor(bob, state, 1)
    with suspended(os.getpid(), is_child):
        importing = asyncio.create_task(import_file(page, srt("New")))
        await until_computing()
        async with state.database.write() as session:
            track = await session.get_one(CaptionTrack, uuid.UUID(other.data["id"]))
            track.notes = ["Theirs."]
        assert not importing.done()
    assert (await importing).status_code == 200
    assert (await page.look()).texts == [f"New {at}." for at in range(LINES)]


@pytest.mark.long
async def test_an_import_is_computed_again_when_somebody_saved_a_change_meanwhile(
    ada: Browser, state: AppState, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await editor(ada, state)
    with suspended(os.getpid(), is_child):
        importing = asyncio.create_task(import_file(page, srt("New")))
        await until_computing()
        monkeypatch.setattr(command, "LARGE_LINES", 1_000)
        await page.save("Edit", 0, content="In between.")
    answer = await importing
    assert (answer.status_code, answer.json()["data"]["revision"]) == (200, 2)
    assert (await page.look()).texts == [f"New {at}." for at in range(LINES)]
    await page.save("Undo")
    assert (await page.look()).texts[0] == "In between."


@pytest.mark.long
async def test_an_undo_that_somebody_overtook_changes_nothing(ada: Browser, state: AppState, large: None) -> None:
    page = await editor(ada, state)
    assert (await import_file(page, srt("New"))).status_code == 200
    await page.look()
    other = await Editor(ada, page.data["file_slug"]).look()
    with suspended(os.getpid(), is_child):
        undoing = asyncio.create_task(page.post("Undo"))
        await until_computing()
        await other.save("Edit", 0, content="In between.")
    answer = await undoing
    assert (answer.status_code, answer.json()["message"]) == (409, CHANGED_SINCE)
    assert (await page.look()).texts == ["In between.", *(f"New {at}." for at in range(1, LINES))]


async def test_a_refused_change_of_many_lines_says_why(ada: Browser, state: AppState, large: None) -> None:
    page = await editor(ada, state)
    first, second = page.lines[:2]
    moved = [{"line": first["id"], "start": first["start_ms"], "end": second["end_ms"]}]
    answer = await page.post("Change", label="Too long", changes=moved)
    assert answer.status_code == 422
    assert "would overlap" in answer.json()["message"]
    gone = await page.post("Change", label="Gone", removed=[str(uuid.uuid4())])
    assert gone.status_code == 409
    assert (await page.look()).data["revision"] == 0


async def test_a_repeated_command_is_answered_and_changes_nothing(ada: Browser, state: AppState, large: None) -> None:
    page = await editor(ada, state)
    more: dict[str, Any] = {"label": "Fewer", "removed": [page.lines[0]["id"]], "command": str(uuid.uuid4())}
    answers = [await page.post("Change", **more) for _ in range(2)]
    assert [answer.json()["data"]["revision"] for answer in answers] == [1, 1]
    assert answers[0].json()["data"]["removed"] == answers[1].json()["data"]["removed"]
    async with state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(CaptionRevision)) == 1


@pytest.mark.long
async def test_nothing_of_a_large_change_that_fails_stays(
    ada: Browser, state: AppState, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await editor(ada, state)
    before = page.lines

    async def fail(*_: object) -> None:
        raise ConnectionError("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr("api.content.captions.subtitle_files.file_import.announce", fail)
        assert (await import_file(page, srt("New"))).status_code == 500
    assert (await page.look()).lines == before
    assert (await import_file(page, srt("New"))).status_code == 200
    async with state.database.read() as session:
        assert await session.scalar(select(func.count()).select_from(CaptionLineRow)) == LINES
