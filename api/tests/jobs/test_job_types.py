"""A kind of job is one `JobType`: nothing else in the product names it."""

from __future__ import annotations

from pkgutil import resolve_name

import pytest
from fastapi import FastAPI

from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.platform.http.state import AppState
from api.platform.jobs.job_type import AnyJobType, by_kind
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from api.testing.jobs.installation import Installation, only_sqlite
from api.testing.jobs.odd_types import COUNT_JOB, WITH_TOY
from api.testing.jobs.toy_flow import CountRequest


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


def test_every_type_names_a_flow_and_readable_fields() -> None:
    assert set(JOB_TYPES) == set(JobKind)
    for job_type in JOB_TYPES.values():
        assert callable(resolve_name(job_type.flow))
        assert {path.partition(".")[0] for path in job_type.summary_fields} <= set(job_type.request.model_fields)


def test_two_types_of_one_kind_are_refused() -> None:
    twice: tuple[AnyJobType, ...] = (COUNT_JOB, COUNT_JOB)
    with pytest.raises(ValueError, match="count"):
        by_kind(twice)
