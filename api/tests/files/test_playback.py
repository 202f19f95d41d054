"""The copy that browsers play: in progress, failed, cancelled, and made again."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from api.content.files import playback
from api.content.files.models import File
from api.content.preparation.jobs import EncodingHandler, UploadHandler
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
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.results import EncodeResult, IngestResult

PREPARED = IngestResult(kind="video", duration_ms=12_000, plays_in_browser=False)
REASON = "The picture could not be read. Upload the file again."


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    """A prepared file whose original browsers do not play."""
    made = await uploaded_file(state, ada.user_id)
    async with state.database.write() as session:
        job = await queue.claim(session, "test")
        assert job is not None
        await UploadHandler().on_started(session, job)
        await endings.finish(session, UploadHandler(), Lease(job.id, job.fence), PREPARED)
    return made


async def _claim(state: AppState) -> Job:
    async with state.database.write() as session:
        job = await queue.claim(session, "test")
        assert job is not None
        assert job.kind == JobKind.ENCODING
    return job


async def _fail(state: AppState) -> None:
    job = await _claim(state)
    async with state.database.write() as session:
        failure = StageFailed("encode", REASON, retryable=False)
        await endings.fail(session, EncodingHandler(), Lease(job.id, job.fence), failure, ErrorCode.STAGE)


async def _seen(browser: Browser, file: File) -> tuple[str, int, str | None]:
    seen = (await browser.get(f"/api/files/{file.slug}")).json()["data"]
    assert seen["playback_ready"] is (seen["media_url"] is not None) is (seen["playback"]["status"] == "ready")
    return seen["playback"]["status"], seen["playback"]["progress"], seen["playback"]["error"]


async def _media(browser: Browser, file: File) -> tuple[int, str, str]:
    answer = await browser.get(f"/api/files/{file.slug}/media")
    return answer.status_code, answer.json()["code"], answer.json()["message"]


async def test_an_unfinished_copy_shows_its_progress(ada: Browser, file: File, state: AppState) -> None:
    assert await _seen(ada, file) == ("preparing", 0, None)
    job = await _claim(state)
    async with state.database.write() as session:
        held, _ = await queue.hold(session, Lease(job.id, job.fence))
        held.progress = 40
        (tick,) = await EncodingHandler().on_progress(session, held, Progress("encoding", 4, 10, "frames"))
    told = tick.message
    assert (told.queue, told.action, told.progress, told.name) == (Topic.ENCODING, Action.PROGRESS, 40, "talk")
    assert await _seen(ada, file) == ("preparing", 40, None)
    assert await _media(ada, file) == (409, "playback_preparing", playback.PREPARING)
    answer = await ada.post(f"/api/files/{file.slug}/playback")
    assert (answer.status_code, answer.json()["code"]) == (409, "playback_preparing")


async def test_a_failed_copy_says_why_and_is_made_again(
    ada: Browser, bob: Browser, file: File, state: AppState
) -> None:
    await _fail(state)
    failed = f"{playback.FAILED} {REASON}"
    assert await _seen(ada, file) == ("failed", 0, failed)
    assert await _media(ada, file) == (409, "playback_failed", failed)
    told = (await events_of(state))[-1]
    assert told["message"] == f"Something broke while processing your video 'talk'. :S {REASON}"

    assert (await bob.post(f"/api/files/{file.slug}/playback")).status_code == 404
    again = await ada.post(f"/api/files/{file.slug}/playback")
    assert (again.status_code, again.json()["data"]["playback"]["status"]) == (200, "preparing")
    told = (await events_of(state))[-1]
    assert (told["queue"], told["action"], told["name"]) == (Topic.ENCODING, Action.DISPATCHED, "talk")

    job = await _claim(state)
    key = f"files/{file.id}/playback.mp4"
    path = state.settings.storage_root / key
    path.parent.mkdir(parents=True)
    path.write_bytes(b"a playable video")
    async with state.database.write() as session:
        done = EncodeResult(playback_key=key, mime="video/mp4")
        await endings.finish(session, EncodingHandler(), Lease(job.id, job.fence), done)
    assert await _seen(ada, file) == ("ready", 100, None)
    assert (await ada.get(f"/api/files/{file.slug}/media")).content == b"a playable video"
    ready = await ada.post(f"/api/files/{file.slug}/playback")
    assert (ready.status_code, ready.json()["code"]) == (409, "playback_ready")


async def test_two_clicks_on_try_again_make_one_copy(ada: Browser, file: File, state: AppState) -> None:
    await _fail(state)
    answers = await asyncio.gather(*(ada.post(f"/api/files/{file.slug}/playback") for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    async with state.database.read() as session:
        states = (await session.scalars(select(Job.state).where(Job.kind == JobKind.ENCODING))).all()
    assert states == [JobState.READY]


async def test_a_file_that_was_never_prepared_has_nothing_to_play(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    assert (await _seen(ada, file))[0] == "preparing"
    await ada.post(f"/api/files/{file.slug}/cancel")
    assert await _seen(ada, file) == ("none", 0, playback.NOT_PREPARED)
    assert await _media(ada, file) == (409, "playback_failed", playback.NOT_PREPARED)
    answer = await ada.post(f"/api/files/{file.slug}/playback")
    assert (answer.status_code, answer.json()["message"]) == (409, playback.NOT_PREPARED)
