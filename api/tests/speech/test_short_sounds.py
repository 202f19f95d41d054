"""Calls with a short sound: decoded at once, one job, and minutes that are reserved before it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.edges.speech.decoding import Decoding
from api.people.api_keys.models import ApiKey
from api.people.ledger.invariants import violations
from api.people.ledger.models import Movement, MovementKind
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES
from api.testing.speech import TRANSCRIPTIONS, Worker, error_of, form, leaving_call, make_key, nothing_is_charged, tone
from pipelines.media.sound.pcm import PcmFile
from pipelines.messages.requests import TranscribeRequest

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def test_a_short_sound_is_one_job(ada: Browser, program: Browser, worker: Worker, state: AppState) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(tone(2.5), prompt="Bragi")))
    while await worker.states() == {}:
        await asyncio.sleep(0.02)
    async with state.database.read() as session:
        (job,) = await session.scalars(select(Job))
        moved = (await session.execute(select(Movement.kind, Movement.seconds))).tuples().all()
    assert (job.kind, moved) == (JobKind.SPEECH_SHORT, [(MovementKind.RESERVE, 3)])
    request = TranscribeRequest.from_json(job.request)
    assert (request.duration_ms, [term.text for term in request.terms]) == (2_500, ["Bragi"])
    sound = state.storage.local_path(str(request.audio_key))
    assert sound is not None
    with PcmFile(sound) as pcm:
        assert pcm.duration_ms == 2_500
    await worker.text(*SENTENCES, kind=JobKind.SPEECH_SHORT)
    answer = await call
    assert answer.json() == {"text": " ".join(SENTENCES), "usage": {"type": "duration", "seconds": 3}}
    assert (await ada.get("/api/keys")).json()["data"][0]["seconds_used"] == 3
    assert f"speech/{request.file_id}" in await worker.removed()
    async with state.database.read() as session:
        assert await violations(session) == []
        assert (await session.scalars(select(Job.request))).one()["terms"] == []


@pytest.mark.long
async def test_without_minutes_nothing_is_queued(
    program: Browser, worker: Worker, database: Database, state: AppState
) -> None:
    async with database.write() as session:
        await session.execute(update(ApiKey).values(seconds_month=2))
    answer = await program.post(TRANSCRIPTIONS, **form(tone(2.5)))
    assert (answer.status_code, error_of(answer)["code"]) == (429, "insufficient_quota")
    assert answer.headers["x-should-retry"] == "false"
    assert await worker.states() == {}
    (prefix,) = await worker.removed()
    assert prefix.startswith("speech/")
    async with database.read() as session:
        assert (await session.scalars(select(Movement))).all() == []


@pytest.mark.long
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_a_program_that_leaves_gets_its_minutes_back(
    app: FastAPI, ada: Browser, worker: Worker, database: Database, stream: str
) -> None:
    call, leaves = leaving_call(app, await make_key(ada), tone(1), stream=stream)
    while await worker.states() == {}:
        await asyncio.sleep(0.02)
    leaves.set()
    await call
    await worker.until_cancelled()
    assert await worker.states() == {JobKind.SPEECH_SHORT: JobState.CANCELLED}
    await nothing_is_charged(ada, database)
    assert any(prefix.startswith("speech/") for prefix in await worker.removed())


@pytest.mark.long
async def test_a_broken_short_sound_is_looked_at_by_a_job(program: Browser, worker: Worker, tmp_path: Path) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(tone(2)[:40])))
    await worker.claim(JobKind.SPEECH_SOUND)
    call.cancel()


async def test_where_other_nodes_decode_a_job_does(app: FastAPI, program: Browser, worker: Worker) -> None:
    app.state.decoding = Decoding(is_allowed=False)
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form(tone(2))))
    await worker.sound(duration_ms=2_000)
    await worker.text(*SENTENCES)
    assert (await call).json()["usage"]["seconds"] == 2
