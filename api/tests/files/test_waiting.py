"""What a waiting person sees: queue position, time left, stalls, the next attempt, and the request."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.content.preparation.work import transcribe_work
from api.job_types import JOB_TYPES
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.limits import STALL_NOTICE_S
from api.platform.jobs.models import Job, JobAttempt
from api.platform.jobs.order import queue_position
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import AttemptEnd, ErrorCode, JobKind, JobState
from api.testing.browser import Browser
from api.testing.databases.statements import counted_statements
from api.testing.files.uploaded_file import uploaded_file
from pipelines.messages.attempt import StageFailed
from pipelines.messages.caption_rules import DEFAULT_RULES

BUSY = StageFailed("model", "The model is busy.", retryable=True)


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute queue positions for each request, not once a second."""
    monkeypatch.setattr(queue_position, "FRESH_S", -1.0)
    monkeypatch.setattr(queue_position, "RATES_FRESH_S", -1.0)


async def _seen(browser: Browser, slug: str) -> dict[str, Any]:
    seen: dict[str, Any] = (await browser.get(f"/api/files/{slug}")).json()["data"]
    return seen


async def _claimed(state: AppState) -> Job:
    async with state.database.write() as session:
        job = await queue.claim(session, "test")
    assert job is not None
    return job


async def _change(state: AppState, job: Job, **values: Any) -> None:
    async with state.database.write() as session:
        await session.execute(update(Job).where(Job.id == job.id).values(**values))


async def _fail(state: AppState, job: Job, failure: StageFailed) -> None:
    async with state.database.write() as session:
        await endings.fail(session, JOB_TYPES[job.kind].handler, Lease(job.id, job.fence), failure, ErrorCode.STAGE)


async def test_queue_positions_follow_the_fair_order(ada: Browser, bob: Browser, state: AppState) -> None:
    adas = [await uploaded_file(state, ada.user_id) for _ in range(5)]
    bobs = await uploaded_file(state, bob.user_id)
    assert (await _claimed(state)).user_id == ada.user_id
    places = {file.slug: (await _seen(ada, file.slug))["queue_place"] for file in adas[1:]}
    assert list(places.values()) == [2, 3, 4, 5]
    assert (await _seen(bob, bobs.slug))["queue_place"] == 1, "one file waits for one job of somebody else at most"
    order = [(await _claimed(state)).subject_id for _ in range(3)]
    assert order == [bobs.id, adas[1].id, adas[2].id]


async def test_the_time_left_follows_from_recent_jobs_and_is_null_without_them(ada: Browser, state: AppState) -> None:
    files = [await uploaded_file(state, ada.user_id, content=b"b" * 1000) for _ in range(4)]
    assert (await _seen(ada, files[0].slug))["eta_s"] is None, "nobody has worked yet"
    for _ in range(2):
        job = await _claimed(state)
        async with state.database.write() as session:
            await session.execute(
                update(JobAttempt)
                .where(JobAttempt.job_id == job.id)
                .values(ending=AttemptEnd.DONE, started_at=clock.now(-50), ended_at=clock.now())
            )
            await session.execute(update(Job).where(Job.id == job.id).values(state=JobState.DONE))
    job = await _claimed(state)
    await _change(state, job, eta_at=clock.now(30))
    running, waiting = await _seen(ada, files[2].slug), await _seen(ada, files[3].slug)
    assert (running["queue_place"], waiting["queue_place"]) == (None, 1)
    assert running["eta_s"] == pytest.approx(30, abs=5)
    assert waiting["eta_s"] == pytest.approx(30 + 50, abs=10), "1,000 bytes took 50 s lately"
    await _change(state, job, eta_at=clock.now(-1))
    assert (await _seen(ada, files[2].slug))["eta_s"] is None, "it should be over and is not"


async def test_a_stall_is_reported_and_ends_with_progress(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    job = await _claimed(state)
    assert (await _seen(ada, file.slug))["stalled_s"] is None
    await _change(state, job, progress_at=clock.now(-STALL_NOTICE_S - 5))
    assert (await _seen(ada, file.slug))["stalled_s"] >= STALL_NOTICE_S
    await _change(state, job, progress_at=clock.now())
    assert (await _seen(ada, file.slug))["stalled_s"] is None


async def test_the_next_attempt_and_all_earlier_ones_are_listed(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    failed = await _claimed(state)
    await _fail(state, failed, BUSY)
    # On a busy machine the real wait may be over before the page looks.
    await _change(state, failed, run_after=clock.now(60))
    seen = await _seen(ada, file.slug)
    assert (seen["attempt"], seen["queue_place"]) == (1, None)
    (told,) = (await ada.get(f"/api/files/{file.slug}/jobs")).json()["data"]
    assert seen["retry_at"] == told["retry_at"] is not None
    async with state.database.read() as session:
        waiting = (await session.scalars(select(Job))).one()
    await _change(state, waiting, run_after=clock.now())
    lost = await _claimed(state)
    await _change(state, lost, lease_until=clock.now(-1))
    await _claimed(state)
    (told,) = (await ada.get(f"/api/files/{file.slug}/jobs")).json()["data"]
    assert (told["kind"], told["state"]) == (JobKind.UPLOAD, JobState.RUNNING)
    assert [(each["number"], each["ending"], each["note"]) for each in told["attempts"]] == [
        (1, AttemptEnd.RETRIED, BUSY.reason),
        (2, AttemptEnd.LEASE_ENDED, None),
        (3, None, None),
    ]
    assert told["request"] == {"filename": "talk.mp4", "language": "en-US"}
    assert (await bob.get(f"/api/files/{file.slug}/jobs")).status_code == 404


async def test_the_request_summary_names_rules_and_no_path_on_the_server(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        file.audio_key, file.duration_ms = "jobs/secret/1/audio.wav", 4_000
        await queue.enqueue(
            session,
            kind=JobKind.TRANSCRIBE,
            subject_id=file.id,
            file_id=file.id,
            user_id=file.user_id,
            dedup_key="t",
            request=(await transcribe_work(session, file)).request,
        )
    answer = await ada.get(f"/api/files/{file.slug}/jobs")
    _, summary = (each["request"] for each in answer.json()["data"])
    assert (summary["language"], summary["duration_ms"], summary["beam_size"]) == ("en-US", 4_000, 1)
    assert (summary["max_row"], summary["max_ms"]) == (DEFAULT_RULES.max_row, DEFAULT_RULES.max_ms)
    told = json.dumps(answer.json())
    for hidden in ("secret", file.original_key, str(file.id), str(state.settings.data_dir)):
        assert hidden not in told


@pytest.mark.long
async def test_a_list_of_many_files_takes_no_more_queries_than_one_of_few(ada: Browser, state: AppState) -> None:
    counts = []
    for number in (3, 30):
        for _ in range(number):
            await uploaded_file(state, ada.user_id)
        with counted_statements(state) as statements:
            assert (await ada.get("/api/files")).status_code == 200
        counts.append(len(statements))
    assert 0 < counts[1] <= counts[0]


async def test_details_show_every_kind_of_job_and_leave_out_unknown_ones(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        for kind in (*(kind for kind in JobKind if kind != JobKind.UPLOAD), "of a newer version"):
            session.add(
                Job(
                    kind=kind,
                    subject_id=file.id,
                    file_id=file.id,
                    user_id=ada.user_id,
                    dedup_key=kind,
                    request={"secret": 1},
                )
            )
    jobs = (await ada.get(f"/api/files/{file.slug}/jobs")).json()["data"]
    assert sorted(job["kind"] for job in jobs) == sorted(JobKind)
    assert not any("secret" in job["request"] for job in jobs)


async def test_details_of_a_kind_without_readable_parts_are_empty(ada: Browser, app: FastAPI, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    silent = replace(JOB_TYPES[JobKind.UPLOAD], summary_fields=())
    app.state.job_types = {**JOB_TYPES, JobKind.UPLOAD: silent}
    answer = await ada.get(f"/api/files/{file.slug}/jobs")
    assert [job["request"] for job in answer.json()["data"]] == [{}]
