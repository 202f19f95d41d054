"""The quality of a file's captions: report, CSV, the gate for exports, and cutting the lines again."""

from __future__ import annotations

import asyncio
import csv
import io
import threading
import uuid
from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy import select

from api.content.captions.errors import EditFailed
from api.content.captions.models import CaptionTrack
from api.content.quality.checks import require_clean
from api.content.quality.judging import in_turn
from api.content.quality.report import COLUMNS
from api.people.auth.viewer import Viewer
from api.platform.db.engine import SQLITE_CONNECTIONS
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.captions.quality.sentences import refusal


async def opened(browser: Browser, state: AppState) -> Editor:
    file = await captioned_file(state, browser.user_id)
    return await Editor(browser, file.slug).look()


async def test_the_report_names_findings_and_safe_fixes(ada: Browser, state: AppState) -> None:
    page = await opened(ada, state)
    path = f"/api/files/captions/{page.data['file_slug']}/quality"
    clean = (await ada.get(path)).json()["data"]
    assert (clean["findings"], clean["clean"], clean["profile"]) == ([], True, "default")
    await page.save("Edit", 0, content="<i>The harbour is closed today.")
    await page.save("Edit", 1, content="Nobody knows when it opens. " * 4)
    report = (await ada.get(path)).json()["data"]
    assert report["revision"] == 2
    assert [(each["rule"], each["lines"][0]) for each in report["findings"]] == [
        ("tag", page.lines[0]["id"]),
        ("row_too_long", page.lines[1]["id"]),
        ("too_fast", page.lines[1]["id"]),
    ]
    assert report["findings"][0]["fix"]["content"] == SENTENCES[0]
    assert not report["clean"]
    assert report["counts"] == {"info": 0, "warning": 0, "error": 3}
    assert [change["line"] for change in report["changes"]] == [page.lines[0]["id"]]
    fast = (await ada.get(path, params={"rule": "too_fast"})).json()["data"]
    assert (fast["changes"], len(fast["findings"])) == ([], 3)
    other = (await ada.get(path, params={"profile": "shorts"})).json()["data"]
    assert other["profile"] == "shorts"
    assert (await ada.get(path, params={"profile": "none"})).status_code == 422


async def test_the_csv_report_opens_in_a_spreadsheet(ada: Browser, state: AppState) -> None:
    page = await opened(ada, state)
    await page.save("Edit", 0, content="=1+1 <i>closed")
    answer = await ada.get(f"/api/files/captions/{page.data['file_slug']}/quality.csv", params={"in": "is-IS"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    header, row = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")), delimiter=";")
    assert tuple(header) == COLUMNS["is"]
    assert row[:5] == ["1", "00:00:01,000", row[2], "Villa", "Ólokað merki"]
    assert row[-1] == "'=1+1 <i>closed"


async def test_an_export_that_asks_for_clean_captions_is_refused_with_the_count(ada: Browser, state: AppState) -> None:
    page = await opened(ada, state)
    viewer = Viewer(ada.user_id, is_admin=False, team_id=None)

    async def check() -> None:
        async with state.database.read() as session:
            track = (await session.scalars(select(CaptionTrack))).one()
            await require_clean(session, viewer, track)

    await check()
    await page.save("Edit", 0, content="<i>open")
    with pytest.raises(EditFailed) as refused:
        await check()
    assert refused.value.errors == {"require_clean": [refusal(1)]}


async def test_cutting_again_keeps_every_word_and_its_times_and_is_one_undo_step(ada: Browser, state: AppState) -> None:
    page = await opened(ada, state)
    slug = page.data["file_slug"]
    before, texts = page.lines, page.texts
    limits = {"max_row": 14, "max_rows": 1, "max_speed": 30, "min_ms": 300, "max_ms": 6_000, "gap_ms": 40}
    profile = await ada.post("/api/captions/profiles", json={"name": "Tiny", **limits})
    await ada.put(f"/api/files/captions/{slug}/profile", json={"profile": profile.json()["data"]["id"]})
    body = {"issued": 0, "command": "5f3cbe5e-7a4e-4f0a-9d11-3c2f0f7f7b11"}
    saved = await ada.post(f"/api/files/captions/{slug}/recut", json=body)
    assert saved.status_code == 200, saved.text
    again = await ada.post(f"/api/files/captions/{slug}/recut", json=body)
    assert again.json()["data"]["revision"] == saved.json()["data"]["revision"] == 1
    await page.look()
    assert len(page.lines) > len(before)
    assert all(len(text) <= 14 for text in page.texts)
    assert [word for line in page.lines for word in line["words"]] == [
        word for line in before for word in line["words"]
    ]
    stale = await ada.post(f"/api/files/captions/{slug}/recut", json={"issued": 0})
    assert stale.status_code == 409
    await page.save("Undo")
    await page.look()
    assert page.texts == texts


class Judge:
    """The first report waits until it may go on; so the others wait behind it."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.go_on = threading.Event()
        self._begun = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    async def begin(self, user_id: uuid.UUID) -> asyncio.Task[None]:
        task = asyncio.create_task(in_turn(user_id, self._first))
        await self._begun.wait()
        return task

    async def queue(self, user_id: uuid.UUID, name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(in_turn(user_id, partial(self.made.append, name)))
        await asyncio.sleep(0)
        return task

    def _first(self) -> None:
        self._loop.call_soon_threadsafe(self._begun.set)
        self.go_on.wait()
        self.made.append("first")


@pytest.fixture
async def judge() -> AsyncIterator[Judge]:
    judge = Judge()
    yield judge
    judge.go_on.set()


async def test_reports_take_turns_and_one_given_up_while_it_waits_is_never_made(judge: Judge) -> None:
    people = [uuid.uuid4() for _ in range(3)]
    one = await judge.begin(people[0])
    two, three = await judge.queue(people[1], "second"), await judge.queue(people[2], "third")
    two.cancel()
    await asyncio.sleep(0)
    judge.go_on.set()
    await asyncio.gather(one, three)
    assert judge.made == ["first", "third"]


async def test_many_reports_of_one_person_keep_nobody_else_waiting(judge: Judge) -> None:
    ada, bob = uuid.uuid4(), uuid.uuid4()
    tasks = [await judge.begin(ada), *[await judge.queue(ada, "ada's next") for _ in range(3)]]
    tasks.append(await judge.queue(bob, "bob's"))
    judge.go_on.set()
    await asyncio.gather(*tasks)
    assert judge.made == ["first", "bob's", *["ada's next"] * 3]


@pytest.mark.long
async def test_reports_that_wait_hold_no_connection(ada: Browser, state: AppState, judge: Judge) -> None:
    page = await opened(ada, state)
    first = await judge.begin(uuid.uuid4())
    path = f"/api/files/captions/{page.data['file_slug']}/quality"
    many = [asyncio.create_task(ada.get(path)) for _ in range(2 * SQLITE_CONNECTIONS)]
    for _ in range(5):
        assert (await ada.get("/api/files")).status_code == 200
    judge.go_on.set()
    await first
    assert {answer.status_code for answer in await asyncio.gather(*many)} == {200}
