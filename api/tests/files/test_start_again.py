"""A cancelled or failed file: what its owner reads, and that a restart restores everything."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from api.content.arrivals.models import Upload, UploadStatus
from api.content.arrivals.transitions import move_with_work
from api.content.files.models import File, FileStatus
from api.content.preparation.jobs import NO_AUDIO, EncodingHandler, UploadHandler
from api.job_types import JOB_TYPES
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobKind, JobState
from api.platform.realtime.messages import Action, Topic
from api.testing.browser import Browser
from api.testing.events import events_of
from api.testing.files.uploaded_file import uploaded_file
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import IngestResult

PREPARED = IngestResult(kind="video", duration_ms=12_000, audio_key="files/a/audio.wav", plays_in_browser=False)
MUTE = PREPARED.model_copy(update={"audio_key": None, "plays_in_browser": True})
BROKEN = StageFailed("probe", "This is not a video. Choose another file.", retryable=False)


async def _claim(state: AppState) -> Job:
    async with state.database.write() as session:
        job = await queue.claim(session, "a dispatcher")
        assert job is not None
        await JOB_TYPES[job.kind].handler.on_started(session, job)
    return job


async def _finish(state: AppState, job: Job, result: IngestResult) -> None:
    async with state.database.write() as session:
        await endings.finish(session, UploadHandler(), Lease(job.id, job.fence), result)


async def _prepared(state: AppState, browser: Browser, result: IngestResult = PREPARED) -> File:
    file = await uploaded_file(state, browser.user_id)
    await _finish(state, await _claim(state), result)
    return file


async def _states(state: AppState, file: File) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    async with state.database.read() as session:
        for job in await session.scalars(select(Job).where(Job.subject_id == file.id).order_by(Job.created_at)):
            found.setdefault(job.kind, []).append(job.state)
    return found


async def _upload_status(state: AppState) -> str:
    async with state.database.read() as session:
        return (await session.scalars(select(Upload.status))).one()


@pytest.mark.parametrize(("prepared", "of"), [(False, Topic.UPLOAD), (True, Topic.TRANSCRIBE)])
async def test_a_cancel_is_no_failure_and_names_the_file(
    ada: Browser, state: AppState, prepared: bool, of: Topic
) -> None:
    file = await (_prepared(state, ada) if prepared else uploaded_file(state, ada.user_id))
    assert (await ada.post(f"/api/files/{file.slug}/cancel")).status_code == 200
    told = (await events_of(state))[-1]
    assert (told["queue"], told["action"], told["slug"]) == (of, Action.ABANDONED, file.slug)
    assert (told["name"], told["message"]) == ("talk", "You cancelled 'talk'.")


async def test_a_restart_names_the_file(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await ada.post(f"/api/files/{file.slug}/cancel")
    assert (await ada.post(f"/api/files/{file.slug}/retry")).status_code == 200
    told = (await events_of(state))[-1]
    assert (told["action"], told["name"]) == (Action.DISPATCHED, "talk")
    assert told["message"] == "'talk' is queued for preprocessing."


async def test_a_restart_also_queues_the_playback_copy_that_was_cancelled_with_the_file(
    ada: Browser, state: AppState
) -> None:
    file = await _prepared(state, ada)
    waiting = {"upload": [JobState.DONE], "encoding": [JobState.READY], "transcribe": [JobState.READY]}
    assert await _states(state, file) == waiting
    await ada.post(f"/api/files/{file.slug}/cancel")
    assert (await _states(state, file))["encoding"] == [JobState.CANCELLED]
    seen = (await ada.post(f"/api/files/{file.slug}/retry")).json()["data"]
    assert await _states(state, file) == waiting
    assert (seen["status"], seen["playback"]["status"]) == (FileStatus.TRANSCRIBING, "preparing")


async def test_a_copy_still_being_stopped_is_queued_again(ada: Browser, state: AppState) -> None:
    file = await _prepared(state, ada)
    running = [await _claim(state), await _claim(state)]
    assert {job.kind for job in running} == {JobKind.ENCODING, JobKind.TRANSCRIBE}
    await ada.post(f"/api/files/{file.slug}/cancel")
    await ada.post(f"/api/files/{file.slug}/retry")
    assert (await _states(state, file))["encoding"] == [JobState.RUNNING, JobState.READY]


async def test_a_failed_copy_is_not_restarted_with_its_file(ada: Browser, state: AppState) -> None:
    file = await _prepared(state, ada)
    for job in (await _claim(state), await _claim(state)):
        if job.kind == JobKind.ENCODING:
            async with state.database.write() as session:
                await endings.fail(session, EncodingHandler(), Lease(job.id, job.fence), BROKEN, ErrorCode.STAGE)
    await ada.post(f"/api/files/{file.slug}/cancel")
    await ada.post(f"/api/files/{file.slug}/retry")
    assert (await _states(state, file))["encoding"] == [JobState.FAILED]


async def test_two_clicks_on_start_again_start_once(ada: Browser, state: AppState) -> None:
    file = await _prepared(state, ada)
    await ada.post(f"/api/files/{file.slug}/cancel")
    answers = await asyncio.gather(*(ada.post(f"/api/files/{file.slug}/retry") for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    states = await _states(state, file)
    assert (states["transcribe"], states["encoding"]) == ([JobState.READY], [JobState.READY])


async def test_the_upload_follows_a_file_that_was_cancelled_and_started_again(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await ada.post(f"/api/files/{file.slug}/cancel")
    assert await _upload_status(state) == UploadStatus.CANCELLED
    await ada.post(f"/api/files/{file.slug}/retry")
    assert await _upload_status(state) == UploadStatus.WAITING
    job = await _claim(state)
    assert await _upload_status(state) == UploadStatus.PROCESSING
    await _finish(state, job, PREPARED)
    assert await _upload_status(state) == UploadStatus.COMPLETED


async def test_a_failed_preparation_gives_its_reason_and_the_upload_restarts_with_it(
    ada: Browser, state: AppState
) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _claim(state)
    async with state.database.write() as session:
        await endings.fail(session, UploadHandler(), Lease(job.id, job.fence), BROKEN, ErrorCode.STAGE)
    told = (await events_of(state))[-1]
    assert told["message"] == f"Something broke while preprocessing your upload 'talk'. :S {BROKEN.reason}"
    assert await _upload_status(state) == UploadStatus.FAILED
    await ada.post(f"/api/files/{file.slug}/retry")
    async with state.database.read() as session:
        upload = (await session.scalars(select(Upload))).one()
    assert (upload.status, upload.error) == (UploadStatus.WAITING, None)


def test_a_completed_upload_never_goes_back() -> None:
    upload = Upload(status=UploadStatus.COMPLETED)
    for status in (UploadStatus.PROCESSING, UploadStatus.FAILED, UploadStatus.CANCELLED):
        assert not move_with_work(upload, status)
    assert upload.status == UploadStatus.COMPLETED


async def test_a_file_without_sound_ends_when_it_is_prepared(ada: Browser, state: AppState) -> None:
    file = await _prepared(state, ada, MUTE)
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["progress"], seen["engine_note"]) == (FileStatus.COMPLETED, 100, NO_AUDIO)
    assert await _states(state, file) == {"upload": [JobState.DONE]}, "there is nothing to transcribe"
    told = [(event["queue"], event["action"]) for event in await events_of(state)]
    assert told[-1] == (Topic.UPLOAD, Action.COMPLETED)
    assert Action.TRANSCRIBING not in {action for _, action in told}
    assert await _upload_status(state) == UploadStatus.COMPLETED
    added = await ada.post(
        f"/api/files/captions/{file.slug}",
        json={"action": "Add", "start": "00:00:01,000", "end": "00:00:02,000", "content": "Waves.", "issued": 0},
    )
    assert added.status_code == 200, added.text
