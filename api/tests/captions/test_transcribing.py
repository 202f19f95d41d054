"""The live draft, and what the handler of the transcribe job makes of results and failures."""

from __future__ import annotations

import uuid
from dataclasses import replace
from pathlib import Path

from api.content.captions.speech.jobs import (
    NO_SPEECH,
    OFFLINE_ENGINE,
    OFFLINE_NOTE,
    TranscribeHandler,
)
from api.content.files.models import File, FileStatus
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.sentences import sentence_of
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.events import events_of
from api.testing.files.transcribed import (
    SENTENCES,
    chunk,
    finish,
    keep_chunk,
    result,
    transcribing_file,
)
from pipelines.messages.attempt import Progress, StageFailed
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.tasks.transcription.sherpa.folder import SherpaFolder


async def _file(state: AppState, file: File) -> File:
    async with state.database.read() as session:
        return await session.get_one(File, file.id)


async def _events(state: AppState) -> list[dict[str, object]]:
    return [event for event in await events_of(state) if event["queue"] == Topic.TRANSCRIBE]


async def test_lines_appear_while_the_file_is_being_transcribed(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    assert (page.data["is_live"], page.lines, page.data["subtitle"]) == (True, [], "")
    await keep_chunk(state, job, chunk(1, SENTENCES[1]))
    assert (await page.look()).texts == [SENTENCES[1]]
    await keep_chunk(state, job, chunk(0, SENTENCES[0]))
    assert (await page.look()).texts == list(SENTENCES[:2])
    assert page.lines[0]["words"][0]["start_ms"] == 1_000
    assert page.lines[0]["end_ms"] < page.lines[1]["start_ms"]
    assert page.data["is_live"] is True
    await finish(state, job, result(*SENTENCES))
    assert (await page.look()).texts == list(SENTENCES)
    assert (page.data["is_live"], page.data["language"]) == (False, "en-US")
    assert uuid.UUID(page.lines[0]["id"])


async def test_each_step_of_the_job_updates_the_file_and_sends_an_event(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    handler = TranscribeHandler()
    # The queue updates the job before it calls the handler.
    job.progress = 25
    async with state.database.write() as session:
        notices = await handler.on_progress(session, job, Progress("transcribing", 15_000, 60_000, "audio_ms"))
    assert [(m.queue, m.action, m.progress, m.slug) for m in (notice.message for notice in notices)] == [
        (Topic.TRANSCRIBE, Action.PROGRESS, 25, file.slug)
    ]
    now = await _file(state, file)
    assert (now.status, now.progress, now.phase) == (FileStatus.TRANSCRIBING, 25, "transcribing")
    await finish(state, job, result(*SENTENCES))
    now = await _file(state, file)
    assert (now.status, now.progress, now.phase, now.error) == (FileStatus.COMPLETED, 100, "", None)
    assert (now.engine, now.engine_note) == ("whisper tiny", None)
    events = [(event["action"], event["name"], event["message"]) for event in await _events(state)]
    assert events == [
        (action, file.name, sentence_of(Topic.TRANSCRIBE, action, name=file.name))
        for action in (Action.DISPATCHED, Action.STARTED, Action.COMPLETED)
    ]
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert seen["transcription_id"] is not None


async def test_a_file_transcribed_by_the_offline_engine_says_so_and_names_no_folder(
    ada: Browser, state: AppState
) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    transcribed = result(*SENTENCES)
    engine = replace(transcribed.engine, engine=OFFLINE_ENGINE, model="/srv/models/en-us", reason="/srv is empty.")
    await finish(state, job, transcribed.model_copy(update={"engine": engine}))
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["engine"], seen["engine_note"]) == ("PocketSphinx (built in, English only)", OFFLINE_NOTE)


async def test_a_file_says_what_its_engine_cannot_do(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    transcribed = result(*SENTENCES)
    folder = Path("/srv/models/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8")
    engine = Parakeet().info(SherpaFolder(folder, {}, frozenset({"en"})), str(folder), "Why.")
    await finish(state, job, transcribed.model_copy(update={"engine": engine}))
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["engine"], seen["engine_note"]) == ("Parakeet tdt-0.6b-v3-int8", engine.note)
    assert "detects no language" in seen["engine_note"]


async def test_a_file_without_speech_says_so(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await finish(state, job, result())
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["engine_note"]) == (FileStatus.COMPLETED, NO_SPEECH)


async def test_a_failure_shows_its_sentence_and_cause(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    async with state.database.write() as session:
        failure = StageFailed("transcribe", "The model supports only English.", retryable=False)
        await TranscribeHandler().on_failed(session, job, failure)
    now = await _file(state, file)
    failed = sentence_of(Topic.TRANSCRIBE, Action.FAILED, name=file.name)
    assert (now.status, now.error) == (FileStatus.FAILED, f"{failed} The model supports only English.")
    assert (await _events(state))[-1]["message"] == now.error
    # Captions can still be written by hand.
    page = await Editor(ada, file.slug).look()
    assert (page.data["is_live"], page.lines) == (False, [])
    await page.save("Add", start=0, end=2_000, content="By hand")
    assert (await page.look()).texts == ["By hand"]
    # A later run replaces them, and one undo restores them.
    await finish(state, job, result(*SENTENCES))
    assert (await page.look()).texts == list(SENTENCES)
    await page.save("Undo")
    assert (await page.look()).texts == ["By hand"]


async def test_a_silent_file_is_complete_without_lines(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await finish(state, job, result())
    page = await Editor(ada, file.slug).look()
    assert (page.lines, page.data["is_live"], (await _file(state, file)).status) == ([], False, FileStatus.COMPLETED)


async def test_a_second_result_replaces_unedited_lines_and_the_detected_language_stays(
    ada: Browser, state: AppState
) -> None:
    file, job = await transcribing_file(state, ada.user_id, language="auto")
    await finish(state, job, result("Fyrst.", language="is-IS"))
    await finish(state, job, result(*SENTENCES, language="is-IS"))
    page = await Editor(ada, file.slug).look()
    assert (page.texts, page.data["language"]) == (list(SENTENCES), "is-IS")
    assert (await _file(state, file)).language == "is-IS"


async def test_a_cancelled_or_deleted_file_is_left_alone(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    async with state.database.write() as session:
        await TranscribeHandler().on_cancelled(session, job)
    assert (await _file(state, file)).status == FileStatus.ABANDONED
    gone = Job(kind=JobKind.TRANSCRIBE, subject_id=uuid.uuid4(), user_id=ada.user_id, dedup_key="x")
    handler = TranscribeHandler()
    async with state.database.write() as session:
        await handler.on_started(session, gone)
        assert await handler.on_progress(session, gone, Progress("transcribing", 1, 2, "audio_ms")) == []
        assert await handler.on_chunk(session, gone, chunk(0, "x y")) == []
        await handler.on_done(session, gone, result())
        await handler.on_failed(session, gone, StageFailed("transcribe", "No.", retryable=False))
        await handler.on_cancelled(session, gone)
