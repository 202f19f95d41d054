"""Files that the built-in engine transcribed are offered again once a better model is loaded."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import select

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.files.models import File
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, StageFailed
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

OFFLINE = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "", frozenset({"en"}))
WHISPER = EngineInfo("transcription", "whisper", "base", "cpu", "", frozenset({"en", "is"}), True)
REFUSED = StageFailed("transcribe", "Only English.", retryable=False, code=LANGUAGE_UNSUPPORTED)


async def load(state: AppState, loaded: EngineInfo) -> None:
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, loaded))


async def offline_file(state: AppState, user_id: uuid.UUID, language: str = "en-US") -> File:
    file = await captioned_file(state, user_id)
    async with state.database.write() as session:
        row = await session.get_one(File, file.id)
        row.engine, row.language = "pocketsphinx en-us", language
    return file


async def refused_file(state: AppState, user_id: uuid.UUID, language: str) -> File:
    file, job = await transcribing_file(state, user_id, language=language)
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.state = JobState.FAILED
        await TranscribeHandler().on_failed(session, row, REFUSED)
    return file


async def offered(browser: Browser) -> dict[str, Any]:
    data: dict[str, Any] = (await browser.get("/api/files/improvable")).json()["data"]
    return data


async def improve(browser: Browser, *files: File) -> int:
    answer = await browser.post("/api/files/improve", json={"ids": [str(file.id) for file in files]})
    assert answer.status_code == 200, answer.text
    return int(answer.json()["data"]["queued"])


async def queued_languages(state: AppState) -> dict[uuid.UUID, str]:
    statement = select(Job).where(Job.kind == JobKind.TRANSCRIBE, Job.state == JobState.READY)
    async with state.database.read() as session:
        return {job.subject_id: job.request["language"] for job in await session.scalars(statement)}


async def test_nothing_is_offered_while_only_the_built_in_engine_is_loaded(ada: Browser, state: AppState) -> None:
    file = await offline_file(state, ada.user_id)
    assert await offered(ada) == {"label": None, "files": []}
    await load(state, OFFLINE)
    assert await offered(ada) == {"label": None, "files": []}
    assert await improve(ada, file) == 0
    assert await queued_languages(state) == {}


@pytest.mark.long
async def test_a_better_model_offers_what_it_can_do_better_and_only_to_the_owner(
    ada: Browser, bob: Browser, state: AppState
) -> None:
    given = await offline_file(state, ada.user_id)
    chosen = await offline_file(state, ada.user_id, language="en-GB")
    icelandic = await refused_file(state, ada.user_id, "is-IS")
    await refused_file(state, ada.user_id, "de-DE")
    await captioned_file(state, ada.user_id)
    await load(state, WHISPER)
    offer = await offered(ada)
    assert offer["label"] == "Whisper base"
    assert {file["id"] for file in offer["files"]} == {str(file.id) for file in (given, chosen, icelandic)}
    assert not any(file["is_edited"] for file in offer["files"])
    assert (await offered(bob))["files"] == []
    assert await improve(bob, given) == 0
    assert await improve(ada, given, chosen, icelandic) == 3
    # Nobody chose the language that the built-in engine gives, so the model detects it.
    assert await queued_languages(state) == {given.id: "auto", chosen.id: "en-GB", icelandic.id: "is-IS"}
    assert (await offered(ada))["files"] == []
    assert await improve(ada, given, chosen) == 0


@pytest.mark.long
async def test_edits_are_announced_stay_until_the_new_captions_arrive_and_return_with_undo(
    ada: Browser, state: AppState
) -> None:
    file = await offline_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    await page.save("Edit", line=page.lines[0]["id"], content="Corrected by hand.")
    edited = (await page.look()).texts
    await load(state, WHISPER)
    assert [entry["is_edited"] for entry in (await offered(ada))["files"]] == [True]
    assert await improve(ada, file) == 1
    statement = select(Job).where(Job.subject_id == file.id, Job.state == JobState.READY)
    async with state.database.read() as session:
        job = (await session.scalars(statement)).one()
    await finish(state, job, result(*SENTENCES))
    assert (await page.look()).texts == list(SENTENCES)
    await page.save("Undo")
    assert (await page.look()).texts == edited
    assert (await offered(ada))["files"] == []
