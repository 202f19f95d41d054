"""Who speaks: a finished detection on the lines, and what people change afterwards. Every change can be undone."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from sqlalchemy import func, select

from api.content.captions.actions import CaptionAction
from api.content.files.models import File
from api.content.speakers import detection
from api.content.speakers.jobs import SpeakersHandler
from api.people.users.models import User
from api.platform.capabilities import advice
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action
from api.testing.browser import Browser, SignUp
from api.testing.editor import Editor
from api.testing.events import events_of
from api.testing.files.ai_texts import WRITER, install, text_now, written_text
from api.testing.files.ai_texts import job_of as text_job_of
from api.testing.files.transcribed import SENTENCES, captioned_file, finish, result, transcribing_file
from pipelines.captions.limits import SPEAKERS_MAX
from pipelines.messages.minutes import MinutesRequest
from pipelines.messages.speakers import SpeakersResult, Turn, VoiceSample
from serve.core.capability import Capability, TaskState, TaskStatus
from serve.core.messages import EngineInfo
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.engine_labels import engine_label

ENGINE = EngineInfo("diarization", "sherpa", "tiny", "cpu", "Found.")
TURNS = (
    Turn(start_ms=900, end_ms=5_500, speaker="S1"),
    Turn(start_ms=5_500, end_ms=10_500, speaker="S2"),
    Turn(start_ms=10_500, end_ms=20_000, speaker="S1"),
)
SAMPLES = (VoiceSample(speaker="S1", start_ms=1_000, end_ms=3_000),)
INSTALLED = Capability(DIARIZATION, loaded=ENGINE)
MISSING = Capability(DIARIZATION, status=TaskStatus(TaskState.MISSING, "Install one with `sagascript models pull`."))


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    async with state.database.write() as session:
        await store(session, INSTALLED)
    return await captioned_file(state, ada.user_id)


async def job_of(state: AppState, file: File) -> Job:
    async with state.database.read() as session:
        statement = select(Job).where(Job.file_id == file.id, Job.kind == JobKind.SPEAKERS)
        return (await session.scalars(statement.order_by(Job.created_at.desc()).limit(1))).one()


async def complete(state: AppState, file: File, *turns: Turn) -> None:
    """End the open detection with these turns."""
    await finish_with(state, file, SpeakersResult(engine=ENGINE, turns=turns or TURNS, samples=SAMPLES))


async def finish_with(state: AppState, file: File, value: SpeakersResult) -> None:
    job = await job_of(state, file)
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        row.state, row.result = JobState.DONE, value.record()
        await SpeakersHandler().on_started(session, row)
        await SpeakersHandler().on_done(session, row, value)


async def speakers(browser: Browser, file: File) -> dict[str, Any]:
    answer = await browser.get(f"/api/files/speakers/{file.slug}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def detect(browser: Browser, state: AppState, file: File, *turns: Turn) -> None:
    answer = await browser.post(f"/api/files/speakers/{file.slug}", json={})
    assert answer.status_code == 202, answer.text
    await complete(state, file, *turns)


def labels(editor: Editor) -> list[str | None]:
    return [line["speaker"] for line in editor.lines]


async def test_a_detection_puts_speakers_on_lines_and_undo_takes_them_off(
    ada: Browser, state: AppState, file: File
) -> None:
    before = await speakers(ada, file)
    assert (before["state"], before["speakers"], before["can_detect"]) == ("none", [], True)
    answer = await ada.post(f"/api/files/speakers/{file.slug}", json={"speakers": 2})
    assert answer.json()["data"]["state"] == "waiting"
    again = await ada.post(f"/api/files/speakers/{file.slug}", json={})
    assert (again.status_code, again.json()["code"]) == (409, "already_running")
    job = await job_of(state, file)
    assert job.request["speakers"] == 2
    async with state.database.write() as session:
        session.add(JobChunk(job_id=job.id, key="window-0", fence=1, payload={"voice": "AAAA"}))
    await complete(state, file)
    async with state.database.read() as session:
        voices = await session.scalar(select(func.count()).where(JobChunk.job_id == job.id))
    assert voices == 0, "what describes voices goes with the work"
    editor = await Editor(ada, file.slug).look()
    assert labels(editor) == ["S1", "S2", "S1"]
    assert editor.texts == list(SENTENCES)
    after = await speakers(ada, file)
    assert [(each["label"], each["shown"], each["lines"]) for each in after["speakers"]] == [
        ("S1", "Speaker 1", 2),
        ("S2", "Speaker 2", 1),
    ]
    assert after["speakers"][0]["sample"] == {"start_ms": 1_000, "end_ms": 3_000}
    assert (after["state"], after["engine"]) == ("ready", engine_label("sherpa", "tiny"))
    await editor.save(CaptionAction.UNDO)
    assert labels(await editor.look()) == [None, None, None]
    assert (await speakers(ada, file))["speakers"] == []
    await editor.save(CaptionAction.REDO)
    assert labels(await editor.look()) == ["S1", "S2", "S1"]
    assert len((await speakers(ada, file))["speakers"]) == 2


@pytest.mark.long
async def test_names_reach_downloads_and_survive_another_detection(ada: Browser, state: AppState, file: File) -> None:
    await detect(ada, state, file)
    path = f"/api/files/speakers/{file.slug}"
    renamed = await ada.put(f"{path}/S2", json={"name": "  Björk "})
    assert renamed.json()["data"]["speakers"][1]["name"] == "Björk"
    taken = await ada.put(f"{path}/S1", json={"name": "björk"})
    assert (taken.status_code, taken.json()["code"], taken.json()["data"]["label"]) == (409, "same_name", "S2")
    download = f"/api/files/captions/{file.slug}/download"
    srt = (await ada.get(download, params={"format": "srt", "speakers": "labels"})).text
    assert f"Speaker 1: {SENTENCES[0]}" in srt.replace("\n", " ")
    assert f"Björk: {SENTENCES[1]}" in srt.replace("\n", " ")
    assert "– " in (await ada.get(download, params={"format": "txt", "speakers": "dashes"})).text
    assert "<v Björk>" in (await ada.get(download, params={"format": "vtt", "speakers": "labels"})).text
    assert (await ada.get(download, params={"format": "json"})).json()["speakers"]["S2"] == "Björk"
    assert "Björk" not in (await ada.get(download, params={"format": "srt"})).text
    # The engine numbers speakers by first appearance; the names follow the voices.
    other = {"S1": "S2", "S2": "S1"}
    await detect(ada, state, file, *(turn.model_copy(update={"speaker": other[turn.speaker]}) for turn in TURNS))
    assert labels(await Editor(ada, file.slug).look()) == ["S1", "S2", "S1"]
    assert (await speakers(ada, file))["speakers"][1]["name"] == "Björk"
    editor = await Editor(ada, file.slug).look()
    for _ in range(2):
        await editor.save(CaptionAction.UNDO)
    assert (await speakers(ada, file))["speakers"][1]["name"] is None


async def test_a_detection_that_finds_nobody_keeps_the_speakers_of_the_lines(
    ada: Browser, state: AppState, file: File
) -> None:
    await detect(ada, state, file)
    await ada.post(f"/api/files/speakers/{file.slug}", json={})
    await finish_with(state, file, SpeakersResult(engine=ENGINE, turns=(), notes=("Nobody speaks in this file.",)))
    assert labels(await Editor(ada, file.slug).look()) == ["S1", "S2", "S1"]
    after = await speakers(ada, file)
    assert [(each["label"], each["lines"]) for each in after["speakers"]] == [("S1", 2), ("S2", 1)]
    assert after["notes"] == ["Nobody speaks in this file."]


@pytest.mark.long
async def test_merge_split_off_and_reassign_can_be_undone(ada: Browser, state: AppState, file: File) -> None:
    await detect(ada, state, file)
    path = f"/api/files/speakers/{file.slug}"
    editor = await Editor(ada, file.slug).look()
    third = editor.lines[2]["id"]
    split = await ada.post(f"{path}/lines", json={"lines": [third], "speaker": "new"})
    assert [each["label"] for each in split.json()["data"]["speakers"]] == ["S1", "S2", "S3"]
    assert labels(await editor.look()) == ["S1", "S2", "S3"]
    merged = await ada.post(f"{path}/S3/merge", json={"into": "S2"})
    assert [each["label"] for each in merged.json()["data"]["speakers"]] == ["S1", "S2"]
    assert labels(await editor.look()) == ["S1", "S2", "S2"]
    await ada.post(f"{path}/lines", json={"lines": [third], "speaker": None})
    assert labels(await editor.look()) == ["S1", "S2", None]
    for expected in (["S1", "S2", "S2"], ["S1", "S2", "S3"], ["S1", "S2", "S1"]):
        await editor.save(CaptionAction.UNDO)
        assert labels(await editor.look()) == expected
    assert len((await speakers(ada, file))["speakers"]) == 2
    gone = await ada.post(f"{path}/lines", json={"lines": [third], "speaker": "S9"})
    assert gone.status_code == 404
    assert (await ada.post(f"{path}/S1/merge", json={"into": "S1"})).status_code == 422


async def test_refusals_say_what_to_do(ada: Browser, state: AppState, file: File) -> None:
    async with state.database.write() as session:
        await store(session, MISSING)
    answer = await ada.post(f"/api/files/speakers/{file.slug}", json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "no_speaker_engine")
    seen = await speakers(ada, file)
    assert (seen["can_detect"], seen["reason"]) == (False, answer.json()["message"])
    # Commands are for administrators; everybody else is told whom to ask, and what they can do themselves.
    assert "`" not in seen["reason"]
    assert advice.MISSING in seen["reason"]
    assert detection.BY_HAND in seen["reason"]
    models = {each["task"]: each for each in (await ada.get("/api/models")).json()["data"]}
    assert models[DIARIZATION]["sentence"] == advice.MISSING
    async with state.database.write() as session:
        (await session.get_one(User, ada.user_id)).is_admin = True
    assert "`sagascript models pull`" in (await speakers(ada, file))["reason"]
    models = {each["task"]: each for each in (await ada.get("/api/models")).json()["data"]}
    assert "`sagascript models pull`" in models[DIARIZATION]["sentence"]
    # One person per channel needs no model.
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).channels_key = "files/a/channels.wav"
    assert (await speakers(ada, file))["can_detect"]
    assert (await ada.post(f"/api/files/speakers/{file.slug}", json={"speakers": 0})).status_code == 422


@pytest.mark.long
async def test_without_a_model_people_add_name_and_colour_speakers_by_hand(
    ada: Browser, state: AppState, file: File
) -> None:
    async with state.database.write() as session:
        await store(session, MISSING)
    path = f"/api/files/speakers/{file.slug}"
    added = await ada.post(f"{path}/new", json={"name": "Anna", "colour": 7})
    assert [(each["label"], each["shown"], each["colour"]) for each in added.json()["data"]["speakers"]] == [
        ("S1", "Anna", 7)
    ]
    taken = await ada.post(f"{path}/new", json={"name": "anna"})
    assert (taken.status_code, taken.json()["code"], taken.json()["data"]) == (409, "same_name", {"label": "S1"})
    await ada.post(f"{path}/new", json={})
    await ada.put(f"{path}/S2", json={"name": "Bjarni"})
    editor = await Editor(ada, file.slug).look()
    await ada.post(f"{path}/lines", json={"lines": [editor.lines[1]["id"]], "speaker": "S2"})
    assert labels(await editor.look()) == [None, "S2", None]
    await editor.save(CaptionAction.UNDO)
    await editor.save(CaptionAction.UNDO)
    assert [each["shown"] for each in (await speakers(ada, file))["speakers"]] == ["Anna", "Speaker 2"]
    for _ in range(SPEAKERS_MAX - 2):
        await ada.post(f"{path}/new", json={})
    assert (await ada.post(f"{path}/new", json={})).status_code == 409


async def test_a_detection_asked_for_with_the_upload_says_that_it_was_not_done(ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        await store(session, MISSING)
    file, job = await transcribing_file(state, ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).detects_speakers = True
    await finish(state, job, result(*SENTENCES))
    assert (await speakers(ada, file))["state"] == "omitted"
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["lacks_speakers"]) == ("completed", True)
    (omitted,) = [each for each in await events_of(state) if each["action"] == Action.OMITTED]
    assert "were not detected" in omitted["message"]
    # Somebody who speaks is known now.
    await ada.post(f"/api/files/speakers/{file.slug}/new", json={"name": "Anna"})
    assert (await speakers(ada, file))["state"] == "none"
    assert not (await ada.get(f"/api/files/{file.slug}")).json()["data"]["lacks_speakers"]


async def test_cancel_leaves_the_captions_as_they_are(ada: Browser, file: File) -> None:
    path = f"/api/files/speakers/{file.slug}"
    assert (await ada.post(f"{path}/cancel")).status_code == 409
    await ada.post(path, json={})
    assert (await ada.post(f"{path}/cancel")).json()["data"]["state"] == "cancelled"
    assert labels(await Editor(ada, file.slug).look()) == [None, None, None]
    assert (await ada.post(path, json={})).status_code == 202


async def test_another_transcription_is_followed_by_another_detection(
    ada: Browser, state: AppState, file: File
) -> None:
    await detect(ada, state, file)
    async with state.database.read() as session:
        transcription = (
            await session.scalars(select(Job).where(Job.file_id == file.id, Job.kind == JobKind.TRANSCRIBE))
        ).one()
    await finish(state, transcription, result("Everything is new now."))
    assert labels(await Editor(ada, file.slug).look()) == ["S1"]
    assert (await speakers(ada, file))["state"] == "waiting"


async def test_nobody_else_sees_or_changes_the_speakers(
    ada: Browser, sign_up: SignUp, state: AppState, file: File
) -> None:
    await detect(ada, state, file)
    eve = await sign_up("eve")
    path = f"/api/files/speakers/{file.slug}"
    line = str(uuid.uuid4())
    answers = [
        await eve.get(path),
        await eve.post(path, json={}),
        await eve.post(f"{path}/cancel"),
        await eve.put(f"{path}/S1", json={"name": "Eve"}),
        await eve.post(f"{path}/S1/merge", json={"into": "S2"}),
        await eve.post(f"{path}/lines", json={"lines": [line], "speaker": "S1"}),
    ]
    assert {answer.status_code for answer in answers} == {404}


@pytest.mark.long
async def test_a_text_that_names_a_speaker_by_a_former_name_is_out_of_date(
    ada: Browser, state: AppState, file: File
) -> None:
    await detect(ada, state, file)
    path = f"/api/files/speakers/{file.slug}/S1"
    await ada.put(path, json={"name": "Anna"})
    await install(state, WRITER)
    text = await written_text(state, ada, file)
    request = MinutesRequest.from_json((await text_job_of(state, text["id"])).request)
    assert [line.speaker for line in request.lines] == ["Anna", "Speaker 2", "Anna"]
    assert text["is_stale"] is False
    await ada.put(path, json={"name": "Berta"})
    blocks = (await text_now(ada, text["id"]))["blocks"]
    # The action's owner is Anna; the other paragraphs name nobody.
    assert [block["stale"] for block in blocks] == [False, False, False, True]
    (cite,) = blocks[3]["sentences"][0]["cites"]
    assert (cite["was"], cite["text"]) == (f"Anna: {SENTENCES[2]}", f"Berta: {SENTENCES[2]}")
    editor = await Editor(ada, file.slug).look()
    await editor.save(CaptionAction.UNDO)
    assert (await text_now(ada, text["id"]))["is_stale"] is False
