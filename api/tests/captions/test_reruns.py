"""Transcribe lines again: charged by the part, held as a proposal, applied line by line."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from api.content.captions.errors import CHANGED_SINCE
from api.content.captions.reruns.jobs import RetranscribeHandler
from api.content.captions.reruns.service import ALREADY, NO_PROPOSAL
from api.content.files.models import File
from api.people.ledger.models import Movement
from api.platform.capabilities.models import CapabilityRow, put
from api.platform.capabilities.queries import ADAPTER
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import ENGINE, SENTENCES, captioned_file
from pipelines.messages.lines import CaptionWord, Origin
from pipelines.messages.requests import RetranscribeRequest
from pipelines.messages.results import RetranscribeResult
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION


@pytest.fixture
async def page(ada: Browser, state: AppState) -> Editor:
    return await Editor(ada, (await captioned_file(state, ada.user_id)).slug).look()


async def rerun_of(page: Editor) -> dict[str, Any]:
    found: dict[str, Any] = (await page.browser.get(f"{page.path}/rerun")).json()["data"]
    return found


async def start(page: Editor, *lines: int) -> Any:
    body = {"lines": [page.lines[line]["id"] for line in lines]} if lines else {}
    return await page.browser.post(f"{page.path}/rerun", json=body)


async def finish(state: AppState, *texts: tuple[int, str]) -> RetranscribeRequest:
    """End the job: each text is spoken from its start, a word every 400 ms."""
    words = tuple(
        CaptionWord(start + 400 * i, start + 400 * i + 300, word, Origin.ASR, 0.8)
        for start, text in texts
        for i, word in enumerate(text.split())
    )
    async with state.database.write() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.RETRANSCRIBE))).one()
        await RetranscribeHandler().on_started(session, job)
        job.state = JobState.DONE
        await RetranscribeHandler().on_done(session, job, RetranscribeResult(engine=ENGINE, words=words))
        request = RetranscribeRequest.read(job.request)
        assert request is not None
        return request


async def test_a_part_is_charged_alone_and_changes_nothing_until_it_is_decided(page: Editor, state: AppState) -> None:
    answer = await start(page, 0)
    assert (answer.status_code, answer.json()["data"]["state"]) == (202, "waiting")
    again = await start(page, 1)
    assert (again.status_code, again.json()["message"]) == (409, ALREADY)
    line = page.lines[0]
    request = await finish(state, (1_000, "The harbour was shut today."))
    assert request.spans == ((line["start_ms"], line["end_ms"]),)
    async with state.database.read() as session:
        movements = (await session.scalars(select(Movement).order_by(Movement.id))).all()
    assert {each.seconds for each in movements if each.work == JobKind.RETRANSCRIBE} <= {-2, 2, 0}
    assert (await page.look()).texts == list(SENTENCES)
    found = await rerun_of(page)
    (proposed,) = found["lines"]
    assert (found["state"], proposed["mine"], proposed["found"], proposed["joined"], proposed["default"]) == (
        "ready", SENTENCES[0], "The harbour was shut today.", None, "new"
    )  # fmt: skip
    body = {"issued": page.data["revision"], "choices": {line["id"]: "new"}}
    decided = await page.browser.post(f"{page.path}/rerun/decision", json=body)
    assert decided.status_code == 200, decided.text
    assert (await page.look()).texts[0] == "The harbour was shut today."
    assert (await rerun_of(page))["state"] == "none"
    await page.save("Undo")
    assert page.texts == list(SENTENCES)


async def test_a_person_s_line_shows_all_three_texts_and_stays_by_default(page: Editor, state: AppState) -> None:
    await page.save("Edit", 0, content="The Harpa is closed today.")
    await start(page)
    await finish(state, (1_000, "A harbour was closed today."), (6_000, "Nobody knows when it opens."))
    lines = {each["id"]: each for each in (await rerun_of(page))["lines"]}
    first = lines[page.lines[0]["id"]]
    assert (first["base"], first["mine"], first["found"], first["joined"], first["default"]) == (
        SENTENCES[0], "The Harpa is closed today.", "A harbour was closed today.", "A Harpa was closed today.", "mine"
    )  # fmt: skip
    assert page.lines[1]["id"] not in lines
    assert lines[page.lines[2]["id"]]["found"] is None
    body = {"issued": page.data["revision"], "choices": {first["id"]: "joined", "nobody": "new"}}
    assert (await page.browser.post(f"{page.path}/rerun/decision", json=body)).status_code == 200
    assert (await page.look()).texts == ["A Harpa was closed today.", *SENTENCES[1:]]


async def test_an_old_page_decides_nothing_and_a_dismissed_proposal_is_gone(page: Editor, state: AppState) -> None:
    await start(page, 0)
    await finish(state, (1_000, "Another text entirely."))
    other = await Editor(page.browser, page.data["file_slug"]).look()
    await other.save("Edit", 1, content="Meanwhile.")
    body = {"issued": page.data["revision"], "choices": {page.lines[0]["id"]: "new"}}
    late = await page.browser.post(f"{page.path}/rerun/decision", json=body)
    assert (late.status_code, late.json()["message"]) == (409, CHANGED_SINCE)
    assert (await page.browser.delete(f"{page.path}/rerun")).json()["data"]["state"] == "none"
    gone = await page.browser.post(f"{page.path}/rerun/decision", json={**body, "issued": 1})
    assert (gone.status_code, gone.json()["message"]) == (404, NO_PROPOSAL)


async def test_strangers_start_and_see_nothing(page: Editor, bob: Browser, state: AppState) -> None:
    assert (await bob.get(f"{page.path}/rerun")).status_code == 404
    assert (await bob.post(f"{page.path}/rerun", json={})).status_code == 404
    async with state.database.read() as session:
        assert await session.scalar(select(File.id).where(File.id == uuid.UUID(page.data["id"]))) is None
        assert await session.scalar(select(Job.id).where(Job.kind == JobKind.RETRANSCRIBE)) is None


async def test_another_engine_of_the_installation_may_be_named(page: Editor, state: AppState) -> None:
    whisper = EngineInfo(
        TRANSCRIPTION, "whisper", "small", "cpu", "Test.", frozenset({"en", "is"}), name="faster-whisper-small"
    )
    parakeet = replace(
        whisper, engine="parakeet", model="parakeet-tdt", languages=frozenset({"en"}), name="parakeet-tdt"
    )
    spanish = replace(
        whisper, engine="moonshine", model="moonshine-es", languages=frozenset({"es"}), name="moonshine-es"
    )
    loaded = replace(whisper, others=(whisper, parakeet, spanish))
    async with state.database.write() as session:
        record = ADAPTER.dump_python(Capability(TRANSCRIPTION, loaded), mode="json")
        await put(session, CapabilityRow, TRANSCRIPTION, record=record)
    # What transcribes the language anyway and what does not know it are not offered.
    found = await rerun_of(page)
    assert (found["usual"], [each["name"] for each in found["engines"]]) == ("Whisper small", ["parakeet-tdt"])
    for wrong, sentence in (
        ("gone", "There is no speech model “gone” here. Choose one of the list."),
        ("moonshine-es", "The speech model Moonshine moonshine-es cannot transcribe English (US)."),
    ):
        refused = await page.browser.post(f"{page.path}/rerun", json={"engine": wrong})
        assert (refused.status_code, refused.json()["errors"]["engine"]) == (422, [sentence])
    started = await page.browser.post(f"{page.path}/rerun", json={"engine": "parakeet-tdt"})
    assert (started.status_code, started.json()["data"]["engine"]) == (202, "Parakeet parakeet-tdt")
    request = await finish(state, (1_000, "The harbour was shut today."))
    assert request.engine == "parakeet-tdt"
    assert (await rerun_of(page))["engine"] == "Parakeet parakeet-tdt"
