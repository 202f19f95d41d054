"""Calls of the speech API that get no text: the status, the form of the error, and what is given back."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from api.edges.speech import service
from api.edges.speech.errors import NO_SUCH_MODEL
from api.edges.speech.models import SpeechRequest, SpeechState, SpeechTask
from api.edges.speech.receiving import BROKEN_FORM, NO_FILE, NOT_A_FORM
from api.people.api_keys.errors import ScopeMissing
from api.people.api_keys.models import ApiKey
from api.people.ledger.models import Movement
from api.platform.capabilities.service import store
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.platform.retention.rules import RuleTools
from api.retention import RULES
from api.testing.browser import Browser
from api.testing.speech import (
    SOUND,
    TRANSCRIPTIONS,
    TRANSLATIONS,
    Worker,
    bearer,
    error_of,
    form,
    leaving_call,
    make_key,
    nothing_is_charged,
)
from pipelines.messages.attempt import StageFailed
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


WRONG = {
    "model": form(model=None),
    "language": form(language="klingon"),
    "response_format": form(response_format="docx"),
    "temperature": form(temperature="9"),
    "timestamp_granularities": form(**{"timestamp_granularities[]": "letter"}),
    "keywords": form(**{"keywords[]": "long " * 20}),
    "include": form(**{"include[]": "usage"}),
    "chunking_strategy": form(chunking_strategy='{"type": "client_vad"}'),
}
NOT_FOLLOWED = {
    "timestamp_granularities": form(**{"timestamp_granularities[]": "word"}),
    "include": form(**{"include[]": "logprobs", "response_format": "srt"}),
    "languages": form(**{"languages[]": ["en", "is"]}),
}
WHISPER = EngineInfo(TRANSCRIPTION, "whisper", "tiny", "cpu", "", frozenset({"en", "is", "no"}))


@pytest.mark.parametrize("field", WRONG)
async def test_a_wrong_field_is_named(program: Browser, worker: Worker, field: str) -> None:
    answer = await program.post(TRANSCRIPTIONS, **WRONG[field])
    error = error_of(answer)
    assert (answer.status_code, error["type"]) == (400, "invalid_request_error")
    assert error["param"].removesuffix("[]") == field
    assert await worker.states() == {}


@pytest.mark.long
@pytest.mark.parametrize("field", NOT_FOLLOWED)
async def test_what_no_model_here_can_follow_is_refused(program: Browser, worker: Worker, field: str) -> None:
    answer = await program.post(TRANSCRIPTIONS, **NOT_FOLLOWED[field])
    assert (answer.status_code, error_of(answer)["param"]) == (400, field)
    assert await worker.states() == {}


async def test_probabilities_are_refused_where_there_are_none(
    program: Browser, worker: Worker, state: AppState
) -> None:
    remote = EngineInfo(TRANSCRIPTION, "endpoint", "large-v3", "", "", frozenset({"no"}), word_probabilities=False)
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, replace(WHISPER, by_language=(remote,))))
    cases = [
        (TRANSCRIPTIONS, "no", "gives no probabilities of words. Leave `include` out."),
        (TRANSLATIONS, "is", "A translation has no log probabilities."),
    ]
    for path, language, says in cases:
        answer = await program.post(path, **form(language=language, **{"include[]": "logprobs"}))
        assert (answer.status_code, error_of(answer)["param"]) == (400, "include")
        assert says in error_of(answer)["message"]
    assert await worker.states() == {}


@pytest.mark.long
@pytest.mark.parametrize(
    "sent",
    [
        {"chunking_strategy": "never"},
        {"chunking_strategy[type]": "server_vad", "chunking_strategy[threshold]": "2"},
        {"chunking_strategy[type]": "server_vad", "chunking_strategy[loudness]": "2"},
        {"chunking_strategy[threshold]": "0.5"},
    ],
)
async def test_a_cut_that_nobody_knows_is_refused(program: Browser, worker: Worker, sent: dict[str, str]) -> None:
    answer = await program.post(TRANSCRIPTIONS, **form(**sent))
    assert (answer.status_code, error_of(answer)["param"]) == (400, "chunking_strategy")
    assert "`server_vad`" in error_of(answer)["message"]
    assert await worker.states() == {}


async def test_a_temperature_is_refused_where_nothing_is_drawn(
    program: Browser, worker: Worker, state: AppState
) -> None:
    drawing = replace(WHISPER, takes_temperature=True, by_language=(replace(WHISPER, languages=frozenset({"no"})),))
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, drawing))
    answer = await program.post(TRANSCRIPTIONS, **form(temperature="0.4", language="no"))
    assert (answer.status_code, error_of(answer)["param"]) == (400, "temperature")
    assert "always takes the likeliest text" in error_of(answer)["message"]
    assert await worker.states() == {}


@pytest.mark.parametrize(
    ("detects", "wanted", "says"),
    [
        (True, "klingon", "no language `klingon` here. Send one of `en`, `is`, `no`, or leave `language` out"),
        (True, "da", "cannot transcribe Danish. Send one of `en`, `is`, `no`, or leave"),
        (False, None, "cannot detect the language. Send one of `en`, `is`, `no`."),
    ],
)
async def test_a_refused_language_comes_with_those_that_there_are(
    program: Browser, state: AppState, detects: bool, wanted: str | None, says: str
) -> None:
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, replace(WHISPER, detects_language=detects)))
    answer = await program.post(TRANSCRIPTIONS, **form(language=wanted))
    assert (answer.status_code, error_of(answer)["param"]) == (400, "language")
    assert says in error_of(answer)["message"]


async def test_bodies_that_are_no_form(program: Browser, state: AppState) -> None:
    broken = {"content-type": "multipart/form-data; boundary=x"}
    cases: list[tuple[dict[str, Any], int, str | None]] = [
        ({"json": {"model": "whisper-1"}}, 400, NOT_A_FORM),
        ({"files": {"model": (None, "whisper-1")}}, 400, NO_FILE),
        ({"files": {"file": ("empty.mp3", b"")}, "data": {"model": "whisper-1"}}, 400, NO_FILE),
        (
            {"content": b"--x\r\nContent-Disposition: form-data; name=file\r\n\r\nabc", "headers": broken},
            400,
            BROKEN_FORM,
        ),
        ({"content": b"not a form at all", "headers": broken}, 400, BROKEN_FORM),
        ({"files": {"model": (None, "x" * 50_000)}}, 400, None),
    ]
    for options, status, sentence in cases:
        answer = await program.post(TRANSCRIPTIONS, **options)
        error = error_of(answer)
        assert answer.status_code == status
        assert sentence in (None, error["message"])
    state.settings.max_speech_bytes = len(SOUND) - 1
    too_large = await program.post(TRANSCRIPTIONS, **form())
    assert (too_large.status_code, error_of(too_large)["type"]) == (413, "invalid_request_error")
    # Nothing of them stays on the disk.
    assert list(state.settings.work_root.glob("speech-*")) == []


@pytest.mark.parametrize("size", [1, 7, 64])
async def test_a_form_may_arrive_in_pieces_of_any_size(program: Browser, worker: Worker, size: int) -> None:
    boundary, head = "edge", "Content-Disposition: form-data; name="
    parts = [
        f'--{boundary}\r\n{head}"file"; filename="á.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n'.encode() + SOUND,
        f'--{boundary}\r\n{head}"model"\r\n\r\nnone-such'.encode(),
        f"--{boundary}--\r\n".encode(),
    ]
    body = b"\r\n".join(parts)

    async def pieces() -> Any:
        for start in range(0, len(body), size):
            yield body[start : start + size]

    headers = {"content-type": f"multipart/form-data; boundary={boundary}"}
    answer = await program.post(TRANSCRIPTIONS, content=pieces(), headers=headers)
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (404, "model_not_found")
    assert error["message"] == NO_SUCH_MODEL.format(name="none-such", names="`whisper-1`")


async def test_keys_scopes_and_paths(ada: Browser, visitor: Browser, program: Browser) -> None:
    nobody = await visitor.post(TRANSCRIPTIONS, **form())
    assert (nobody.status_code, error_of(nobody)["code"]) == (401, "invalid_api_key")
    reader = bearer(await make_key(ada, scopes=["files:read"]))
    lacking = await visitor.post(TRANSCRIPTIONS, **form(), headers=reader)
    assert (lacking.status_code, error_of(lacking)["code"]) == (403, ScopeMissing.code)
    listed = (await program.get("/v1/models")).json()
    assert [model["id"] for model in listed["data"]] == ["whisper-1"]
    assert (await program.get("/v1/models/whisper-1")).json() == listed["data"][0]
    unknown = await program.get("/v1/models/gpt-9")
    assert (unknown.status_code, error_of(unknown)["param"]) == (404, "model")
    assert error_of(await program.get("/v1/embeddings"))["type"] == "invalid_request_error"
    # Pages do not call it: cookies alone are no key.
    assert (await ada.post(TRANSCRIPTIONS, **form())).status_code == 401


@pytest.mark.long
async def test_overload_names_a_time_to_wait(program: Browser, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "WORKING_OF_ONE_MAX", 1)
    first = asyncio.create_task(program.post(TRANSCRIPTIONS, **form()))
    lease = await worker.claim(JobKind.SPEECH_SOUND)
    refused = await program.post(TRANSCRIPTIONS, **form())
    assert (refused.status_code, error_of(refused)["code"]) == (429, "rate_limit_exceeded")
    assert int(refused.headers["Retry-After"]) > 0
    await worker.fail(JobKind.SPEECH_SOUND, lease, StageFailed("decode", "This is no sound.", retryable=False))
    answer = await first
    assert (answer.status_code, error_of(answer)["message"]) == (400, "This is no sound.")


@pytest.mark.long
async def test_a_key_without_minutes_left(program: Browser, worker: Worker, database: Database) -> None:
    async with database.write() as session:
        await session.execute(update(ApiKey).values(seconds_month=60))
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form()))
    await worker.sound(duration_ms=60_001)
    answer = await call
    assert (answer.status_code, error_of(answer)["code"]) == (429, "insufficient_quota")
    assert answer.headers["x-should-retry"] == "false"
    assert int(answer.headers["Retry-After"]) > 0
    assert set(await worker.states()) == {JobKind.SPEECH_SOUND}
    (sound,) = await worker.ids(JobKind.SPEECH_SOUND)
    assert f"jobs/{sound}" in await worker.removed()
    async with database.read() as session:
        assert (await session.scalars(select(Movement))).all() == []


@pytest.mark.long
async def test_a_failure_of_ours_costs_nothing(
    ada: Browser, program: Browser, worker: Worker, database: Database
) -> None:
    call = asyncio.create_task(program.post(TRANSCRIPTIONS, **form()))
    await worker.sound()
    lease = await worker.claim(JobKind.SPEECH_TEXT)
    await worker.fail(JobKind.SPEECH_TEXT, lease, StageFailed("transcribe", "The model broke.", retryable=True))
    answer = await call
    assert (answer.status_code, error_of(answer)["type"]) == (503, "server_error")
    assert int(answer.headers["Retry-After"]) > 0
    await nothing_is_charged(ada, database)


@pytest.mark.long
@pytest.mark.parametrize("stream", ["false", "true"])
async def test_a_program_that_leaves_ends_the_work(
    app: FastAPI, ada: Browser, worker: Worker, database: Database, stream: str
) -> None:
    call, leaves = leaving_call(app, await make_key(ada), stream=stream)
    await worker.sound()
    lease = await worker.claim(JobKind.SPEECH_TEXT)
    leaves.set()
    await call
    await worker.until_cancelled()
    async with database.read() as session:
        job = await session.get_one(Job, lease.job_id)
    # Its dispatcher ends it.
    assert (job.state, job.cancel_requested) == (JobState.RUNNING, True)
    await worker.fail(JobKind.SPEECH_TEXT, lease, StageFailed("transcribe", "Stopped.", retryable=False))
    assert (await worker.states())[JobKind.SPEECH_TEXT] == JobState.CANCELLED
    await nothing_is_charged(ada, database)


@pytest.mark.long
async def test_a_program_that_leaves_early_ends_what_waits(app: FastAPI, ada: Browser, worker: Worker) -> None:
    call, leaves = leaving_call(app, await make_key(ada))
    while await worker.states() == {}:
        await asyncio.sleep(0.02)
    leaves.set()
    await call
    await worker.until_cancelled()
    assert await worker.states() == {JobKind.SPEECH_SOUND: JobState.CANCELLED}
    assert any(prefix.startswith("speech/") for prefix in await worker.removed())


async def test_answers_that_nobody_took_are_removed(ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        now = (await session.execute(select(clock.now()))).scalar_one()
        for request_state in SpeechState:
            session.add(
                SpeechRequest(
                    user_id=ada.user_id,
                    key_id=uuid.uuid4(),
                    state=request_state,
                    task=SpeechTask.TRANSCRIBE,
                    language="en-US",
                    source_key="speech/x/source",
                    created_at=now,
                )
            )
        later = (await session.execute(select(clock.now(60)))).scalar_one()
    (rule,) = (rule for rule in RULES if rule.name == "calls of the speech API")
    assert await rule.remove(RuleTools(state.settings, state.database, {}), later) == 3
    async with state.database.read() as session:
        assert (await session.scalars(select(SpeechRequest.state))).all() == [SpeechState.WORKING]
