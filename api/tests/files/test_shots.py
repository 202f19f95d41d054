"""Shots of a video over the API: nobody looked, looking, found, looked again."""

from __future__ import annotations

from sqlalchemy import select

from api.content.files.models import File, FileKind
from api.content.preparation.shots import NO_VIDEO, ShotsHandler
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from pipelines.messages.requests import ShotsRequest
from pipelines.messages.results import ShotsResult


async def finish(state: AppState, *shots_ms: int) -> ShotsRequest:
    async with state.database.write() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.SHOTS, Job.state == JobState.READY))).one()
        job.state = JobState.DONE
        await ShotsHandler().on_done(session, job, ShotsResult(shots_ms=shots_ms))
        return ShotsRequest.from_json(job.request)


async def test_shots_are_found_once_somebody_asks(ada: Browser, state: AppState, sign_up: SignUp) -> None:
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/{file.slug}/shots"
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).kind = FileKind.AUDIO
    refused = await ada.post(path)
    assert (refused.status_code, refused.json()["message"]) == (409, NO_VIDEO)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).kind = FileKind.VIDEO
    assert (await ada.get(path)).json()["data"] == {"state": "none", "progress": 0, "error": None, "shots_ms": []}
    for _ in range(2):
        started = await ada.post(path)
        assert (started.status_code, started.json()["data"]["state"]) == (202, "waiting")
    assert (await finish(state, 2_000, 5_000)).source_key == file.original_key
    found = (await ada.get(path)).json()["data"]
    assert (found["state"], found["shots_ms"]) == ("ready", [2_000, 5_000])
    assert (await ada.post(path)).json()["data"] == {**found, "state": "waiting"}
    await finish(state, 7_000)
    assert (await ada.get(path)).json()["data"]["shots_ms"] == [7_000]
    eve = await sign_up("Eve")
    assert (await eve.get(path)).status_code == (await eve.post(path)).status_code == 404
