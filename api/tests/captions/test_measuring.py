"""Words that people change get the times at which they are spoken, and nobody notices anything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from api.content.captions.timing import jobs as timing_jobs
from api.content.captions.timing.jobs import MeasureHandler
from api.content.files.models import File
from api.platform.capabilities.service import store
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from pipelines.messages.measure import MeasuredLine, MeasureRequest, MeasureResult
from serve.core.capability import Capability, TaskState, TaskStatus
from serve.core.messages import EngineInfo
from serve.tasks.alignment.messages import ALIGNMENT

OTHER = "many other words than before, and more of them"
ALIGNER = EngineInfo(task=ALIGNMENT, engine="sherpa", model="tiny-ctc", device="cpu", reason="Test.")


@pytest.fixture(params=[TaskState.READY, TaskState.IDLE])
async def aligner(state: AppState, request: pytest.FixtureRequest) -> None:
    async with state.database.write() as session:
        await store(session, Capability(ALIGNMENT, ALIGNER, status=TaskStatus(request.param, "")))


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    return await captioned_file(state, ada.user_id)


@pytest.fixture
async def page(ada: Browser, file: File) -> Editor:
    return await Editor(ada, file.slug).look()


async def waiting(state: AppState) -> Sequence[Job]:
    async with state.database.read() as session:
        statement = select(Job).where(Job.kind == JobKind.MEASURE, Job.state == JobState.READY)
        return (await session.scalars(statement.order_by(Job.created_at))).all()


async def begin(state: AppState) -> tuple[Lease, MeasureRequest]:
    """Claim the job as a dispatcher does once its pause is over."""
    [job] = await waiting(state)
    async with state.database.write() as session:
        await session.execute(update(Job).where(Job.id == job.id).values(run_after=clock.now(), priority=1_000))
        claimed = await queue.claim(session, "a test", [JobKind.MEASURE])
        assert claimed is not None
        await MeasureHandler().on_started(session, claimed)
        return Lease(claimed.id, claimed.fence), MeasureRequest.from_json(claimed.request)


def timed(line: MeasuredLine) -> MeasuredLine:
    """The line as if each word that nobody measured began 7 ms late."""
    words = tuple(
        word if word.is_measured else replace(word, start_ms=word.start_ms + 7, confidence=1.0) for word in line.words
    )
    return MeasuredLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, words=words)


async def end(state: AppState, lease: Lease, request: MeasureRequest) -> None:
    result = MeasureResult(lines=tuple(timed(line) for line in request.lines))
    async with state.database.write() as session:
        await endings.finish(session, MeasureHandler(), lease, result)


async def measure(state: AppState) -> MeasureRequest:
    lease, request = await begin(state)
    await end(state, lease, request)
    return request


def words(page: Editor, line: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.lines[line]["words"]
    return found


def estimated(page: Editor, line: int) -> list[str]:
    return [word["text"] for word in words(page, line) if word["confidence"] is None]


@pytest.mark.usefixtures("aligner")
async def test_changed_words_get_measured_times_and_undo_takes_back_what_the_person_did(
    page: Editor, state: AppState
) -> None:
    was = page.texts
    issued = (await page.save("Edit", 0, content="The lighthouse quay is closed today."))["revision"]
    changed = estimated(page, 0)
    assert changed
    kept = [word for word in words(page, 0) if word["confidence"] is not None]
    request = await measure(state)
    assert [[word.text for word in line.words if not word.is_measured] for line in request.lines] == [changed]
    newer = (await page.browser.get(f"{page.path}/newer", params={"since": issued})).json()["data"]
    assert [line["id"] for line in newer["changed"]] == [page.lines[0]["id"]]
    await page.look()
    assert estimated(page, 0) == []
    assert [word for word in words(page, 0) if word["text"] not in changed] == kept
    assert await waiting(state) == []
    async with state.database.read() as session:
        (job,) = await session.scalars(select(Job).where(Job.kind == JobKind.MEASURE))
    assert job.request["lines"] == [], "what was said stays in the captions alone"
    listed = (await page.browser.get(f"{page.path}/versions")).json()["data"]["versions"]
    assert {each["action"] for each in listed} == {"Edit", None}
    # The page has not seen the measured times yet; that is no reason to refuse.
    page.data["revision"] = issued
    await page.save("Undo")
    assert (await page.look()).texts == was
    await page.save("Redo")
    assert (await page.look()).texts[0] == "The lighthouse quay is closed today."
    assert (await measure(state)).lines[0].id == page.lines[0]["id"]


@pytest.mark.long
@pytest.mark.usefixtures("aligner")
async def test_one_job_measures_all_that_is_written_until_it_begins(page: Editor, state: AppState) -> None:
    await page.save("Edit", 0, content="The old harbour gate is closed today.")
    await page.save("Edit", 1, content="Nobody at all knows when it opens.")
    await page.save("Edit", 1, content="Nobody in town knows when it opens.")
    request = await measure(state)
    assert [" ".join(word.text for word in line.words) for line in request.lines] == [
        "The old harbour gate is closed today.",
        "Nobody in town knows when it opens.",
    ]


@pytest.mark.long
@pytest.mark.usefixtures("aligner")
async def test_what_changes_meanwhile_stays_and_is_measured_next(page: Editor, state: AppState) -> None:
    await page.save("Edit", 0, content="The old harbour gate is closed today.")
    lease, request = await begin(state)
    await page.save("Edit", 0, content="The new harbour gate is closed today.")
    await end(state, lease, request)
    assert (await page.look()).texts[0] == "The new harbour gate is closed today."
    assert estimated(page, 0)
    assert [word.text for line in (await measure(state)).lines for word in line.words][1] == "new"
    await page.look()
    assert estimated(page, 0) == []


@pytest.mark.long
@pytest.mark.usefixtures("aligner")
async def test_locked_lines_and_the_times_of_subtitle_files_stay(page: Editor, state: AppState, ada: Browser) -> None:
    srt = b"1\n00:00:01,000 --> 00:00:03,000\nWholly other words\n\n2\n00:00:03,000 --> 00:00:05,000\nof a file\n"
    answer = await ada.post(f"{page.path}/import", files={"file": ("film.srt", srt, "text/plain")})
    assert answer.status_code == 200, answer.text
    assert (await measure(state)).lines == ()
    await page.look()
    await page.save("Edit", 0, content="Wholly different words")
    locked = {"line": page.lines[0]["id"], "locked": True}
    await page.save("Change", changes=[locked], label="Lock")
    assert (await measure(state)).lines == ()


@pytest.mark.long
@pytest.mark.usefixtures("aligner")
async def test_many_lines_are_measured_in_parts(page: Editor, state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing_jobs, "LINES_AT_ONCE", 2)
    changes = [{"line": line["id"], "content": f"Number {at} has {OTHER}"} for at, line in enumerate(page.lines)]
    await page.save("Change", changes=changes, label="Number")
    sizes = []
    while await waiting(state):
        sizes.append(len((await measure(state)).lines))
    assert sizes == [2, 1]
    await page.look()
    assert [estimated(page, line) for line in range(3)] == [[], [], []]


async def test_without_a_model_nothing_is_queued(page: Editor, state: AppState) -> None:
    await page.save("Edit", 0, content="The old harbour gate is closed today.")
    assert await waiting(state) == []


@pytest.mark.long
@pytest.mark.usefixtures("aligner")
async def test_what_needs_no_measuring_is_not_queued(page: Editor, state: AppState, ada: Browser, file: File) -> None:
    line = page.lines[0]
    await page.save("Edit", 0, start=line["start_ms"] + 10)
    assert await waiting(state) == []
    silent = await captioned_file(state, ada.user_id)
    async with state.database.write() as session:
        await session.execute(update(File).where(File.id == silent.id).values(audio_key=None))
    other = await Editor(ada, silent.slug).look()
    await other.save("Edit", 0, content="A text without a sound.")
    assert await waiting(state) == []
