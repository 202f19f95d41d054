"""Choosing a language for a file at each stage of its life, and what happens to its captions."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from api.content.captions.speech.jobs import UNCHANGED, TranscribeHandler
from api.content.files.models import File, FileStatus
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import EVENT, Action
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import (
    SENTENCES,
    captioned_file,
    chunk,
    finish,
    keep_chunk,
    result,
    transcribing_file,
)
from api.testing.files.uploaded_file import uploaded_file
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Progress, StageFailed
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

ENGLISH_ONLY = EngineInfo("transcription", "pocketsphinx", "en-us", "cpu", "", frozenset({"en"}))
REFUSED = StageFailed("transcribe", "Only English.", retryable=False, code=LANGUAGE_UNSUPPORTED)


async def transcribe_in(browser: Browser, file: File, language: str | None) -> Any:
    return await browser.post(f"/api/files/{file.slug}/transcribe", json={"language": language})


async def seen(browser: Browser, file: File) -> dict[str, Any]:
    data: dict[str, Any] = (await browser.get(f"/api/files/{file.slug}")).json()["data"]
    return data


async def newest_job(state: AppState, file: File) -> Job:
    statement = select(Job).where(
        Job.subject_id == file.id, Job.kind == JobKind.TRANSCRIBE, Job.state == JobState.READY
    )
    async with state.database.read() as session:
        return (await session.scalars(statement)).one()


async def fail(state: AppState, job: Job, failure: StageFailed) -> None:
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.state = JobState.FAILED
        await TranscribeHandler().on_failed(session, row, failure)


async def test_a_refused_language_is_a_question_and_another_one_starts_at_once(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id, language="is-IS")
    await fail(state, job, REFUSED)
    now = await seen(ada, file)
    assert (now["status"], now["error_code"], now["error"]) == ("failed", "language_unsupported", "Only English.")
    async with state.database.read() as session:
        events = [
            row.payload["data"]
            for row in await session.scalars(select(OutboxMessage).order_by(OutboxMessage.id))
            if row.topic == EVENT
        ]
    assert (events[-1]["action"], events[-1]["code"]) == (Action.FAILED, "language_unsupported")
    answer = await transcribe_in(ada, file, "en-GB")
    assert answer.status_code == 200, answer.text
    now = answer.json()["data"]
    assert (now["status"], now["progress"], now["language"]) == ("transcribing", 0, "en-GB")
    assert (now["error"], now["error_code"]) == (None, None)
    again = await newest_job(state, file)
    assert again.request["language"] == "en-GB"
    await finish(state, again, result(*SENTENCES, language="en-GB"))
    page = await Editor(ada, file.slug).look()
    assert (page.texts, page.data["language"]) == (list(SENTENCES), "en-GB")


@pytest.mark.long
async def test_edited_captions_stay_until_the_new_ones_arrive_and_undo_restores_them(
    ada: Browser, state: AppState
) -> None:
    file = await captioned_file(state, ada.user_id, language="en-US")
    page = await Editor(ada, file.slug).look()
    await page.save("Edit", line=page.lines[0]["id"], content="Corrected by hand.")
    edited = (await page.look()).texts
    assert (await transcribe_in(ada, file, "is-IS")).status_code == 200
    job = await newest_job(state, file)
    await finish(state, job, result("Höfnin er lokuð.", "Enginn veit.", language="is-IS"))
    await page.look()
    assert (page.texts, page.data["language"]) == (["Höfnin er lokuð.", "Enginn veit."], "is-IS")
    assert (await seen(ada, file))["language"] == "is-IS"
    back = await page.save("Undo")
    assert back["language"] == "en-US"
    await page.look()
    assert (page.texts, page.data["language"]) == (edited, "en-US")
    assert (await seen(ada, file))["language"] == "en-US"
    await page.save("Redo")
    await page.look()
    assert (page.texts[0], page.data["language"]) == ("Höfnin er lokuð.", "is-IS")


@pytest.mark.long
@pytest.mark.parametrize("how", ["refused", "cancelled"])
async def test_transcribing_again_without_success_leaves_the_captions_and_their_language(
    ada: Browser, state: AppState, how: str
) -> None:
    file = await captioned_file(state, ada.user_id, language="en-US")
    await transcribe_in(ada, file, "is-IS")
    assert (await seen(ada, file))["status"] == FileStatus.TRANSCRIBING
    if how == "refused":
        await fail(state, await newest_job(state, file), REFUSED)
    else:
        assert (await ada.post(f"/api/files/{file.slug}/cancel")).status_code == 200
    now = await seen(ada, file)
    assert (now["status"], now["progress"], now["language"]) == ("completed", 100, "en-US")
    assert now["error_code"] == ("language_unsupported" if how == "refused" else None)
    assert (now["error"] or "").endswith(UNCHANGED if how == "refused" else "")
    page = await Editor(ada, file.slug).look()
    assert (page.texts, page.data["language"]) == (list(SENTENCES), "en-US")


async def test_a_running_transcription_restarts_in_the_other_language(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id, language="en-US")
    await keep_chunk(state, job, chunk(0, SENTENCES[0]))
    now = (await transcribe_in(ada, file, "is-IS")).json()["data"]
    assert (now["status"], now["language"], now["progress"]) == ("transcribing", "is-IS", 0)
    assert (await newest_job(state, file)).request["language"] == "is-IS"
    async with state.database.write() as session:
        cancelled = await session.get_one(Job, job.id)
        assert cancelled.cancel_requested
        # It goes on for a moment: the page must not see it any more.
        cancelled.progress = 70
        assert await TranscribeHandler().on_progress(session, cancelled, Progress("transcribing", 7, 10, "s")) == []
        cancelled.state = JobState.CANCELLED
        await TranscribeHandler().on_cancelled(session, cancelled)
    assert (await Editor(ada, file.slug).look()).texts == []
    now = await seen(ada, file)
    assert (now["status"], now["progress"]) == ("transcribing", 0)


async def test_before_its_transcription_a_file_just_takes_the_language(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, language="is-IS")
    now = (await transcribe_in(ada, file, "en-US")).json()["data"]
    assert (now["status"], now["language"]) == ("waiting", "en-US")
    async with state.database.read() as session:
        kinds = (await session.scalars(select(Job.kind).where(Job.subject_id == file.id))).all()
    assert kinds == [JobKind.UPLOAD]


async def test_the_label_of_a_finished_transcription_never_changes_alone(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, language="en-US")
    refused = await ada.put(f"/api/files/{file.slug}", json={"language": "is-IS"})
    assert (refused.status_code, refused.json()["code"]) == (409, "already_transcribed")
    assert (await ada.put(f"/api/files/{file.slug}", json={"language": "en-US", "name": "Talk"})).status_code == 200
    now = await seen(ada, file)
    assert (now["language"], now["name"]) == ("en-US", "Talk")


async def test_a_language_that_does_not_work_is_refused_before_anything_is_lost(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, language="en-US")
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, ENGLISH_ONLY))
    refused = await transcribe_in(ada, file, "is-IS")
    assert (refused.status_code, refused.json()["code"]) == (422, "language_unsupported")
    assert "supports only English" in refused.json()["message"]
    assert "Icelandic" in refused.json()["message"]
    assert (await transcribe_in(ada, file, "klingon")).status_code == 422
    assert (await seen(ada, file))["status"] == "completed"
    # Without a language it is transcribed once more in the one it has.
    assert (await transcribe_in(ada, file, None)).json()["data"]["language"] == "en-US"


async def test_strangers_choose_no_language(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    assert (await transcribe_in(bob, file, "is-IS")).status_code == 404


async def test_no_phase_shows_the_progress_of_the_one_before(ada: Browser, state: AppState) -> None:
    """Prepared at 100 %, the file waits for its transcription at 0 %, also after a second attempt begins."""
    file, job = await transcribing_file(state, ada.user_id)
    now = await seen(ada, file)
    assert (now["status"], now["progress"], now["phase"]) == ("transcribing", 0, "")
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.progress = 60
        await TranscribeHandler().on_progress(session, row, Progress("transcribing", 6, 10, "s"))
    assert (await seen(ada, file))["progress"] == 60
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.progress = 0  # As the queue claims a job for its next attempt.
        await TranscribeHandler().on_started(session, row)
    now = await seen(ada, file)
    assert (now["progress"], now["phase"]) == (0, "")
    await finish(state, job, result(*SENTENCES))
    now = (await transcribe_in(ada, file, None)).json()["data"]
    assert (now["status"], now["progress"]) == ("transcribing", 0)
