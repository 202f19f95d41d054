"""A person deletes or cancels while a job is ending: nothing is left behind and no work continues."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from api.content.files.models import File, FileStatus
from api.content.library.service import NOTHING_TO_CANCEL
from api.job_types import JOB_TYPES
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.attempts.cleanup import STORAGE_CLEANUP
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES, captioned_file, result, transcribing_file
from api.testing.files.uploaded_file import PREPARED, uploaded_file
from pipelines.messages.results import ExportResult, FlowResult

# On SQLite the first writer finishes before the second one reads.
pytestmark = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)

MADE = {name: f"jobs/x/1/{name}.bin" for name in ("audio_key", "peaks_key", "poster_key")}
WAITS_S = 0.5


async def claimed(state: AppState) -> Job:
    async with state.database.write() as session:
        job = await queue.claim(session, "a dispatcher")
        assert job is not None
        await JOB_TYPES[job.kind].handler.on_started(session, job)
    return job


async def during_end(
    state: AppState, job: Job, result: FlowResult, call: Coroutine[Any, Any, httpx2.Response]
) -> httpx2.Response:
    """The answer to a call that arrives after the job has ended but before that is committed."""
    async with state.database.write() as session:
        await endings.finish(session, JOB_TYPES[job.kind].handler, queue.Lease(job.id, job.fence), result)
        await session.flush()
        calling = asyncio.create_task(call)
        await asyncio.sleep(WAITS_S)
        assert not calling.done()
    return await calling


async def jobs_left(state: AppState) -> list[str]:
    async with state.database.read() as session:
        return list(await session.scalars(select(Job.kind).where(Job.state.in_((JobState.READY, JobState.RUNNING)))))


async def removed_keys(state: AppState) -> set[str]:
    async with state.database.read() as session:
        messages = await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == STORAGE_CLEANUP))
        return {key for message in messages for key in message.payload["keys"]}


async def test_new_objects_of_an_ending_job_are_deleted_with_its_file(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await claimed(state)
    answer = await during_end(state, job, PREPARED.model_copy(update=MADE), ada.delete(f"/api/files/{file.slug}"))
    assert answer.status_code == 204
    await ada.delete("/api/files/bin")
    async with state.database.read() as session:
        assert (await session.scalars(select(File))).all() == []
    assert await removed_keys(state) >= {file.original_key, *MADE.values()}
    assert await jobs_left(state) == []


async def test_jobs_queued_by_an_ending_job_are_cancelled_with_it(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await claimed(state)
    answer = await during_end(state, job, PREPARED, ada.post(f"/api/files/{file.slug}/cancel"))
    assert answer.json()["data"]["status"] == FileStatus.ABANDONED
    assert await jobs_left(state) == []


async def test_a_file_that_has_just_finished_is_not_cancelled(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    answer = await during_end(state, job, result(*SENTENCES), ada.post(f"/api/files/{file.slug}/cancel"))
    assert (answer.status_code, answer.json()["message"]) == (409, NOTHING_TO_CANCEL)
    seen = (await ada.get(f"/api/files/{file.slug}")).json()["data"]
    assert (seen["status"], seen["error"]) == (FileStatus.COMPLETED, None)


async def test_the_video_of_an_export_that_has_just_finished_is_deleted_with_it(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    started = await ada.post(f"/api/video/export/{file.slug}", json={"language": file.language})
    export_id = started.json()["data"]["id"]
    made = ExportResult(export_key="jobs/x/1/video.mp4", size_bytes=9)
    job = await claimed(state)
    answer = await during_end(state, job, made, ada.delete(f"/api/video/exports/{file.slug}/{export_id}"))
    assert answer.status_code == 204
    assert await removed_keys(state) == {"jobs/x/1/video.mp4"}


async def test_concurrent_deletes_all_get_a_correct_answer(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    answers = await asyncio.gather(*(ada.delete(f"/api/files/{file.slug}") for _ in range(8)))
    assert {answer.status_code for answer in answers} <= {204, 404}
    assert 204 in {answer.status_code for answer in answers}
