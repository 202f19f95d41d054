"""Notes on lines: threads, who may write and resolve, and what happens to them when lines change."""

from __future__ import annotations

import random
import uuid
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from api.content.captions.editing.notes_following import follow_lines
from api.content.captions.large.heirs import Heirs
from api.content.captions.notes.service import NO_NOTE
from api.content.files.models import File
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.realtime.messages import Action, Topic, channel_of
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.events import as_sent
from api.testing.files.transcribed import captioned_file
from pipelines.captions.edits.edit import EditResult
from pipelines.messages.lines import CaptionLine
from pipelines.testing.captions import line


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    return await Editor(ada, (await captioned_file(state, ada.user_id)).slug).look()


async def write(page: Editor, text: str, **more: Any) -> list[dict[str, Any]]:
    answer = await page.browser.post(f"{page.path}/notes", json={"text": text, **more})
    assert answer.status_code == 201, answer.text
    return notes_of(answer)


def notes_of(answer: httpx2.Response) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer.json()["data"]
    return found


async def listed(page: Editor) -> list[dict[str, Any]]:
    return notes_of(await page.browser.get(f"{page.path}/notes"))


async def test_a_thread_is_answered_resolved_reopened_and_deleted(page: Editor) -> None:
    line = page.lines[1]
    (note,) = await write(page, "Is this right?\n\n\n\nI hear\u202eanother word.", line=line["id"])
    assert (note["text"], note["line"]) == ("Is this right?\n\nI hear another word.", line["id"])
    assert (note["is_you"], note["line_text"]) == (True, line["text"])
    path = f"{page.path}/notes/{note['id']}"
    (resolved,) = notes_of(await page.browser.put(path, json={"resolved": True}))
    assert resolved["resolved_at"]
    assert resolved["resolved_by"] == note["by"]
    (thread,) = await write(page, "Yes, it is.", reply_to=note["id"])
    assert ([each["text"] for each in thread["replies"]], thread["resolved_at"]) == (["Yes, it is."], None)
    (nested,) = await write(page, "Thanks.", reply_to=thread["replies"][0]["id"])
    assert len(nested["replies"]) == 2
    (edited,) = notes_of(await page.browser.put(path, json={"text": "Is it?"}))
    assert edited["text"] == "Is it?"
    assert edited["edited_at"]
    assert notes_of(await page.browser.delete(path)) == []
    answer = await page.browser.put(path, json={"resolved": True})
    assert (answer.status_code, answer.json()["message"]) == (404, NO_NOTE)


@pytest.mark.long
async def test_notes_follow_merges_and_undo_and_outlive_a_deleted_line(page: Editor) -> None:
    first, second = (line["id"] for line in page.lines[:2])
    await write(page, "About the second", line=second)
    await page.save("Merge", 0)
    assert [note["line"] for note in await listed(page)] == [first]
    await page.save("Undo")
    assert [note["line"] for note in await listed(page)] == [second]
    await page.save("Split", second, at=6)
    assert [note["line"] for note in await listed(page)] == [second]
    await page.save("Delete", second)
    (note,) = await listed(page)
    assert (note["line"], note["line_text"]) == (None, "Nobody knows when it opens.")
    await page.save("Undo")
    assert [note["line"] for note in await listed(page)] == [second]


async def test_the_lines_that_an_edit_removed_are_compared_once(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Comparing them for each line held the event loop for 40 s when 10,000 imported lines were undone."""
    compared: list[EditResult] = []

    def counted(result: EditResult) -> tuple[str, ...]:
        compared.append(result)
        return tuple(each.id for each in result.before)

    monkeypatch.setattr(EditResult, "removed", property(counted))
    lines = tuple(replace(line(start, "One"), id=str(uuid.uuid4())) for start in range(0, 40_000, 2_000))
    async with state.database.write() as session:
        await follow_lines(session, uuid.uuid4(), EditResult(before=lines))
    assert len(compared) == 1


def test_a_note_goes_to_the_line_that_takes_most_of_the_time() -> None:
    chance = random.Random(1)

    def some(name: str) -> CaptionLine:
        start = chance.randrange(0, 6_000, 100)
        return replace(line(start, "One"), id=name, end_ms=start + chance.randrange(100, 3_000, 100))

    for _ in range(500):
        after, gone = [some(str(number)) for number in range(chance.randrange(12))], some("gone")
        shared = {each.id: min(gone.end_ms, each.end_ms) - max(gone.start_ms, each.start_ms) for each in after}
        heir = Heirs(after).of(gone)
        assert (0 if heir is None else shared[heir]) == max([0, *shared.values()])


async def test_a_colleague_is_told_and_may_not_rewrite(page: Editor, bob: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        team = Team(name="Crew")
        session.add(team)
        await session.flush()
        for member in (page.browser, bob):
            session.add(Membership(team_id=team.id, user_id=member.user_id, role=TeamRole.EDITOR))
        file = (await session.scalars(select(File).where(File.slug == page.data["file_slug"]))).one()
        file.team_id = team.id
    (note,) = await write(page, "Look here, Bob.", line=page.lines[0]["id"])
    async with state.database.read() as session:
        payloads = [row.payload for row in await session.scalars(select(OutboxMessage)) if "data" in row.payload]
    told = {row["channel"]: row["data"] for row in payloads if row["data"]["queue"] == Topic.NOTE}
    news = told[channel_of(bob.user_id)]
    assert news["action"] == Action.ADDED
    assert "wrote a note on" in as_sent(news)["message"]
    assert told[channel_of(page.browser.user_id)]["action"] == Action.CHANGED
    path = f"{page.path}/notes/{note['id']}"
    assert (await bob.put(path, json={"text": "Mine now"})).status_code == 403
    assert (await bob.delete(path)).status_code == 403
    (resolved,) = notes_of(await bob.put(path, json={"resolved": True}))
    assert resolved["is_you"] is False
    assert resolved["resolved_at"]
    assert notes_of(await bob.delete(path)) == []


async def test_strangers_neither_read_nor_write(page: Editor, bob: Browser, state: AppState) -> None:
    (note,) = await write(page, "Private", line=page.lines[0]["id"])
    assert (await bob.get(f"{page.path}/notes")).status_code == 404
    assert (await bob.post(f"{page.path}/notes", json={"text": "x", "line": page.lines[0]["id"]})).status_code == 404
    other = await Editor(bob, (await captioned_file(state, bob.user_id)).slug).look()
    assert (await bob.put(f"{other.path}/notes/{note['id']}", json={"resolved": True})).status_code == 404
