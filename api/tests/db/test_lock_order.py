"""Calls that lock the same rows never deadlock, on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from sqlalchemy import select, text
from structlog.testing import capture_logs

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.platform.http import repeat
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from api.testing.files.uploaded_file import PREPARED, uploaded_file

# SQLite has one writer at a time.
pytestmark = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)

PAIRS = 12


async def test_a_file_deleted_while_its_upload_is_cancelled(ada: Browser, state: AppState) -> None:
    found: Counter[tuple[int, int]] = Counter()
    with capture_logs() as logs:
        for _ in range(PAIRS):
            file = await uploaded_file(state, ada.user_id)
            deleted, cancelled = await asyncio.gather(
                ada.delete(f"/api/files/{file.slug}"), ada.delete(f"/api/files/upload/{file.upload_id}")
            )
            found[deleted.status_code, cancelled.status_code] += 1
    # The second call finds no file.
    assert set(found) <= {(204, 200), (404, 200)}, found
    assert not [entry for entry in logs if entry["event"] == "request.repeated"]
    async with state.database.read() as session:
        assert (await session.scalars(select(File).where(File.deleted_at.is_(None)))).all() == []
        assert set(await session.scalars(select(Upload.status))) == {UploadStatus.CANCELLED}


@pytest.mark.long
async def test_an_upload_cancelled_while_its_job_ends(ada: Browser, state: AppState) -> None:
    for _ in range(PAIRS):
        file = await uploaded_file(state, ada.user_id)
        async with state.database.write() as session:
            job = await queue.claim(session, "a dispatcher")
            assert job is not None
            await JOB_TYPES[job.kind].handler.on_started(session, job)

        async def end(job: Job = job) -> None:
            async with state.database.write() as session:
                await endings.finish(session, JOB_TYPES[job.kind].handler, queue.Lease(job.id, job.fence), PREPARED)

        _, cancelled = await asyncio.gather(end(), ada.delete(f"/api/files/upload/{file.upload_id}"))
        assert cancelled.status_code == 200
        await ada.delete(f"/api/files/{file.slug}")


@pytest.mark.long
async def test_overlapping_sets_deleted_at_once(ada: Browser, state: AppState) -> None:
    for _ in range(PAIRS // 2):
        ids = [str((await uploaded_file(state, ada.user_id)).id) for _ in range(4)]
        answers = await asyncio.gather(
            ada.request("DELETE", "/api/files/delete-multiple", json={"ids": ids}),
            ada.request("DELETE", "/api/files/delete-multiple", json={"ids": ids[::-1]}),
            *(ada.post(f"/api/files/{slug}/cancel") for slug in ids),
        )
        assert {answer.status_code for answer in answers} <= {200, 204, 404, 409}
    async with state.database.read() as session:
        assert (await session.scalars(select(Job.id).where(Job.state == JobState.READY))).all() == []


async def _until_something_waits(state: AppState) -> None:
    """Until a transaction waits for a lock of another."""
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    while True:
        async with state.database.read() as session:
            if await session.scalar(waiting):
                return
        await asyncio.sleep(0.02)


async def test_a_call_that_lost_a_deadlock_is_made_once_more(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other transaction locks the upload before the job, which our code never does."""
    file = await uploaded_file(state, ada.user_id)
    is_over = asyncio.Event()
    monkeypatch.setattr(repeat, "let_pass", is_over.wait)
    with capture_logs() as logs:
        async with state.database.write() as other:
            # The transaction that detects the deadlock first is ended, and that must be the call.
            await other.execute(text("SET LOCAL deadlock_timeout = '60s'"))
            await other.execute(select(Upload).with_for_update())
            call = asyncio.create_task(ada.delete(f"/api/files/{file.slug}"))
            await _until_something_waits(state)
            await other.execute(select(Job).with_for_update())
        is_over.set()
        answer = await call
    assert answer.status_code == 204
    assert [entry["event"] for entry in logs].count("request.repeated") == 1
    async with state.database.read() as session:
        assert (await session.scalars(select(File).where(File.deleted_at.is_(None)))).all() == []
