"""A kind of job is one `JobType`: nothing else in the product names it."""

from __future__ import annotations

from pkgutil import resolve_name

import pytest
from fastapi import FastAPI
from sqlalchemy import update

from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.people.ledger.metering import reserve_for
from api.people.ledger.month import Month
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.attempts import endings
from api.platform.jobs.job_type import AnyJobType, by_kind
from api.platform.jobs.models import Job, JobAttempt
from api.platform.jobs.order.queue_position import positions
from api.platform.jobs.queue import Lease, claim, enqueue
from api.platform.jobs.states import JobKind, JobState
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp
from api.testing.files.uploaded_file import uploaded_file
from api.testing.jobs.installation import Installation, only_sqlite
from api.testing.jobs.odd_types import COUNT_JOB, WITH_TOY
from api.testing.jobs.toy_flow import CountRequest, CountResult


@only_sqlite
async def test_a_new_kind_runs_from_its_job_type_alone(installation: Installation) -> None:
    file = await installation.file()
    job_id = await installation.enqueue(COUNT_JOB.kind, file, CountRequest(text="six of one"))
    installation.dispatcher(flows="toy")
    job = await installation.until(job_id, JobState.DONE, JobState.FAILED)
    assert (job.state, job.result) == (JobState.DONE, {"letters": 10})
    async with installation.database.read() as session:
        assert (await session.get_one(File, file.id)).name == "10 letters"


async def test_a_new_kind_shows_in_the_details_and_is_cancelled_with_its_file(
    ada: Browser, app: FastAPI, state: AppState
) -> None:
    app.state.job_types = WITH_TOY
    file = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        await enqueue(
            session,
            kind=COUNT_JOB.kind,
            subject_id=file.id,
            file_id=file.id,
            user_id=ada.user_id,
            dedup_key="count",
            request=CountRequest(text="abc"),
        )
    path = f"/api/files/{file.slug}"
    (counting,) = [job for job in (await ada.get(f"{path}/jobs")).json()["data"] if job["kind"] == COUNT_JOB.kind]
    assert (counting["title"], counting["request"]) == ("Counting letters", {"text": "abc"})
    assert (await ada.post(f"{path}/cancel")).status_code == 200
    assert {job["state"] for job in (await ada.get(f"{path}/jobs")).json()["data"]} == {JobState.CANCELLED}


@only_sqlite
async def test_a_new_kind_is_priced_counted_and_listed_from_its_job_type(
    sign_up: SignUp, app: FastAPI, state: AppState
) -> None:
    app.state.job_types = WITH_TOY
    root = await sign_up("root")
    await promote(state, root.user_id)
    file = await uploaded_file(state, root.user_id)
    async with state.database.write() as session:
        await session.execute(update(Job).values(state=JobState.CANCELLED))
        job = await enqueue(
            session,
            kind=COUNT_JOB.kind,
            subject_id=file.id,
            file_id=file.id,
            user_id=root.user_id,
            dedup_key="count",
            request=CountRequest(text="abc"),
            work=60_000,
        )
        await reserve_for(session, job, file, duration_ms=60_000)
    metrics = (await root.get("/metrics")).text
    assert f'sagascript_jobs{{kind="{COUNT_JOB.kind}",state="waiting"}} 1.0' in metrics
    assert f'sagascript_job_wait_seconds{{kind="{COUNT_JOB.kind}"}}' in metrics
    async with state.database.read() as session:
        assert (await positions(session, [job.id]))[job.id].number == 1

    handler = WITH_TOY[COUNT_JOB.kind].handler
    async with state.database.write() as session:
        claimed = await claim(session, "a dispatcher", tuple(WITH_TOY))
        assert claimed is not None
        await handler.on_started(session, claimed)
    async with state.database.write() as session:
        await endings.finish(session, handler, Lease(claimed.id, claimed.fence), CountResult(letters=3))
        await session.execute(update(JobAttempt).where(JobAttempt.job_id == job.id).values(engine="abacus tiny"))
    (line,) = (await root.get("/api/ledger/usage", params={"month": str(Month.of(utc_now()))})).json()["data"]["lines"]
    assert (line["work"], line["work_name"], line["seconds"]) == (COUNT_JOB.kind, "Counting", 120)
    assert {each["work_name"] for each in (await root.get("/api/ledger")).json()["data"]} == {"Counting"}
    dashboard = (await root.get("/api/admin/dashboard", params={"hours": 24})).json()["data"]
    assert [each["work"] for each in dashboard["engines"]] == [COUNT_JOB.title]
    assert COUNT_JOB.title in [each["work"] for each in dashboard["queues"]]


def test_every_type_names_a_flow_and_readable_fields() -> None:
    assert set(JOB_TYPES) == set(JobKind)
    for job_type in JOB_TYPES.values():
        assert callable(resolve_name(job_type.flow))
        assert {path.partition(".")[0] for path in job_type.summary_fields} <= set(job_type.request.model_fields)


def test_two_types_of_one_kind_are_refused() -> None:
    twice: tuple[AnyJobType, ...] = (COUNT_JOB, COUNT_JOB)
    with pytest.raises(ValueError, match="count"):
        by_kind(twice)
