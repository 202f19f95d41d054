"""A person's files through the API: visible only to them; renamed, cancelled, restarted, deleted with their bytes."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File, FileStatus
from api.content.files.queries import FILE_NOT_FOUND
from api.content.library.service import CANCELLED
from api.content.preparation.jobs import UploadHandler
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.cleanup import STORAGE_CLEANUP
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action, Topic
from api.testing.browser import Browser
from api.testing.files.uploaded_file import PREPARED, uploaded_file
from pipelines.messages.attempt import Progress, StageFailed


async def _job(state: AppState, file: File, kind: JobKind) -> Job:
    async with state.database.read() as session:
        return (await session.scalars(select(Job).where(Job.subject_id == file.id, Job.kind == kind))).one()


async def _events(state: AppState) -> list[tuple[str, str]]:
    async with state.database.read() as session:
        rows = (await session.scalars(select(OutboxMessage).order_by(OutboxMessage.id))).all()
    return [(row.payload["data"]["queue"], row.payload["data"]["action"]) for row in rows if "data" in row.payload]


async def test_a_file_is_seen_by_its_owner_alone(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    seen = (await ada.get("/api/files")).json()["data"]
    assert [row["slug"] for row in seen] == [file.slug]
    assert seen[0]["status"] == FileStatus.WAITING
    assert seen[0]["queue_place"] == 1
    assert seen[0]["name"] == "talk"
    assert (await bob.get("/api/files/videos")).json()["data"] == []
    calls = [
        await bob.get(f"/api/files/{file.slug}"),
        await bob.get(f"/api/files/{file.id}"),
        await bob.put(f"/api/files/{file.slug}", json={"name": "mine"}),
        await bob.delete(f"/api/files/{file.slug}"),
        await bob.post(f"/api/files/{file.slug}/cancel"),
        await bob.post(f"/api/files/{file.slug}/retry"),
        await bob.get(f"/api/files/{file.slug}/media"),
        await bob.get(f"/api/files/{file.slug}/original"),
        await bob.request("DELETE", "/api/files/delete-multiple", json={"ids": [str(file.id)]}),
    ]
    assert [call.status_code for call in calls] == [404] * len(calls)
    assert {call.json()["message"] for call in calls} == {FILE_NOT_FOUND}
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["name"] == "talk"


async def test_rename_and_language(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    answer = await ada.put(f"/api/files/{file.slug}", json={"name": " Fundur ", "language": "is-IS"})
    assert answer.status_code == 200
    assert answer.json()["data"]["name"] == "Fundur"
    assert answer.json()["data"]["language"] == "is-IS"
    assert answer.json()["data"]["status"] == FileStatus.WAITING
    # What nobody can change is refused, and nothing beside it is changed.
    for bad in ({"name": "  "}, {"language": "klingon"}, {"hidden": True, "name": "x"}, {"status": "completed"}):
        refused = await ada.put(f"/api/files/{file.slug}", json=bad)
        assert (refused.status_code, list(refused.json()["errors"])) == (422, [next(iter(bad))])
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["name"] == "Fundur"


async def test_preparing_a_file_reports_each_step_and_queues_the_next(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _job(state, file, JobKind.UPLOAD)
    handler = UploadHandler()
    async with state.database.write() as session:
        await handler.on_started(session, job)
        job.progress = 25
        notices = await handler.on_progress(session, job, Progress("decoding", 3, 12, "audio_ms"))
    assert [notice.message.progress for notice in notices] == [25]
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["progress"], seen["phase"]) == (FileStatus.PROCESSING, 25, "decoding")
    async with state.database.write() as session:
        await handler.on_done(session, job, PREPARED.model_copy(update={"plays_in_browser": False}))
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["progress"]) == (FileStatus.TRANSCRIBING, 0)
    assert seen["playback_ready"] is False
    for kind in (JobKind.TRANSCRIBE, JobKind.ENCODING):
        assert (await _job(state, file, kind)).state == JobState.READY
    async with state.database.read() as session:
        assert (await session.scalars(select(Upload.status))).one() == UploadStatus.COMPLETED
    assert await _events(state) == [
        (Topic.TUS, Action.COMPLETED),
        (Topic.UPLOAD, Action.DISPATCHED),
        (Topic.UPLOAD, Action.STARTED),
        (Topic.UPLOAD, Action.TRANSCRIBING),
        (Topic.TRANSCRIBE, Action.DISPATCHED),
    ]


async def test_a_failed_file_says_why_and_can_be_restarted(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _job(state, file, JobKind.UPLOAD)
    reason = "This is not a video. Choose another file."
    async with state.database.write() as session:
        await UploadHandler().on_started(session, job)
        await UploadHandler().on_failed(session, job, StageFailed("probe", reason, retryable=False))
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["error"]) == (FileStatus.FAILED, reason)
    answer = await ada.post(f"/api/files/{file.slug}/retry")
    assert answer.json()["data"]["status"] == FileStatus.WAITING
    assert answer.json()["data"]["error"] is None
    assert (await ada.post(f"/api/files/{file.slug}/retry")).status_code == 409


@pytest.mark.parametrize("language", ["en-US", "is-IS"])
async def test_a_restart_takes_the_same_job_unless_the_language_changed(
    ada: Browser, state: AppState, language: str
) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _job(state, file, JobKind.UPLOAD)
    async with state.database.write() as session:
        await UploadHandler().on_failed(session, job, StageFailed("probe", "It broke.", retryable=False))
        (await session.get_one(Job, job.id)).state = JobState.FAILED
    await ada.put(f"/api/files/{file.slug}", json={"language": language})
    assert (await ada.post(f"/api/files/{file.slug}/retry")).status_code == 200
    async with state.database.read() as session:
        ready = (await session.scalars(select(Job).where(Job.state == JobState.READY))).one()
    assert ready.request["language"] == language
    assert (ready.id == job.id) is (language == "en-US")


async def test_cancel_stops_waiting_work(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    seen = (await ada.post(f"/api/files/{file.slug}/cancel")).json()["data"]
    assert (seen["status"], seen["error"]) == (FileStatus.ABANDONED, CANCELLED)
    assert (await _job(state, file, JobKind.UPLOAD)).state == JobState.CANCELLED
    assert (await ada.post(f"/api/files/{file.slug}/cancel")).status_code == 409


async def test_a_restarted_file_is_not_abandoned_by_the_attempt_still_ending(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        job = await queue.claim(session, "a dispatcher")
        assert job is not None
        await UploadHandler().on_started(session, job)
    assert (await ada.post(f"/api/files/{file.slug}/cancel")).status_code == 200
    assert (await ada.post(f"/api/files/{file.slug}/retry")).status_code == 200
    async with state.database.write() as session:
        await endings.cancel(session, UploadHandler(), queue.Lease(job.id, job.fence))
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert seen["status"] == FileStatus.WAITING
    async with state.database.read() as session:
        assert (await session.scalars(select(Upload.status))).one() != UploadStatus.CANCELLED


async def test_delete_for_good_removes_rows_and_names_the_objects(ada: Browser, bob: Browser, state: AppState) -> None:
    mine = await uploaded_file(state, ada.user_id)
    theirs = await uploaded_file(state, bob.user_id)
    mixed = {"ids": [str(mine.id), str(theirs.id)]}
    assert (await ada.request("DELETE", "/api/files/delete-multiple", json=mixed)).status_code == 404
    assert (await ada.get(f"/api/files/{mine.slug}")).status_code == 200
    assert (await ada.delete(f"/api/files/{mine.slug}")).status_code == 204
    assert (await ada.get(f"/api/files/{mine.slug}")).status_code == 404
    answer = await ada.post("/api/files/bin/purge", json={"ids": [str(mine.id)]})
    assert answer.json() == {"data": {"deleted": 1}}
    async with state.database.read() as session:
        cleanup = (await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == STORAGE_CLEANUP))).one()
    assert cleanup.payload["keys"] == [mine.original_key]


async def test_deleting_a_file_in_preparation_ends_its_upload(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        job = await queue.claim(session, "a dispatcher")
        assert job is not None
        await UploadHandler().on_started(session, job)
    await ada.delete(f"/api/files/{file.slug}")
    async with state.database.read() as session:
        upload = (await session.scalars(select(Upload))).one()
    assert (upload.status, upload.is_displayed) == (UploadStatus.CANCELLED, False)


async def test_media_answers_ranges_and_original_keeps_its_name(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id, filename="fundur á þriðjudegi.mp4", content=b"0123456789")
    job = await _job(state, file, JobKind.UPLOAD)
    async with state.database.write() as session:
        await UploadHandler().on_started(session, job)
        await UploadHandler().on_done(session, job, PREPARED)
    part = await ada.get(f"/api/files/{file.slug}/media", headers={"Range": "bytes=2-5"})
    assert (part.status_code, part.content, part.headers["content-type"]) == (206, b"2345", "video/mp4")
    original = await ada.get(f"/api/files/{file.slug}/original")
    assert "filename*=UTF-8''fundur%20%C3%A1%20%C3%BEri%C3%B0judegi.mp4" in original.headers["content-disposition"]
    assert (await ada.get(f"/api/files/{file.slug}/poster")).status_code == 404


@pytest.mark.parametrize("path", ["/api/files", "/api/files/x", "/api/files/x/media"])
async def test_nobody_sees_files_without_signing_in(visitor: Browser, path: str) -> None:
    assert (await visitor.get(path)).status_code == 401


async def test_a_job_of_a_deleted_file_changes_nothing(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _job(state, file, JobKind.UPLOAD)
    await ada.delete(f"/api/files/{file.slug}")
    await ada.delete("/api/files/bin")
    async with state.database.write() as session:
        assert await session.get(File, file.id) is None
        await UploadHandler().on_done(session, job, PREPARED)
