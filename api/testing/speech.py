"""Programs that call the speech API, and the work of a dispatcher on their calls without Ray."""

from __future__ import annotations

import asyncio
import io
import time
import uuid
import wave
from dataclasses import dataclass
from typing import Any

import httpx2
from fastapi import FastAPI
from sqlalchemy import select

from api.edges.speech.models import SpeechRequest, SpeechState
from api.job_types import JOB_TYPES
from api.people.ledger.invariants import violations
from api.people.ledger.models import Movement, MovementKind
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobKind
from api.testing.browser import Browser
from api.testing.files.transcribed import chunk, result
from cluster.testing.patience import PATIENCE_S
from pipelines.messages.attempt import StageFailed
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult, SpeechSoundResult

TRANSCRIPTIONS, TRANSLATIONS = "/v1/audio/transcriptions", "/v1/audio/translations"
SOUND = b"RIFF of no consequence"
"""It cannot be decoded at once, so the dispatcher's jobs get it."""


async def make_key(browser: Browser, **fields: Any) -> str:
    """The secret of a new key."""
    body = {"name": "Robot", "scopes": ["transcribe"], "requests_minute": 1_000, **fields}
    answer = await browser.post("/api/keys", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["data"]["secret"])


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def tone(seconds: float) -> bytes:
    """A short sound as a WAV, which is decoded at once."""
    rate = 8_000
    written = io.BytesIO()
    with wave.open(written, "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))
        out.writeframes(bytes(index // 10 % 2 * 60 for index in range(int(2 * rate * seconds))))
    return written.getvalue()


def form(sound: bytes = SOUND, /, **fields: Any) -> dict[str, Any]:
    """What to pass to httpx2 for a call with these fields. A field that is None is left out."""
    given = {"model": "whisper-1", **fields}
    return {
        "files": {"file": ("talk.mp3", sound, "audio/mpeg")},
        "data": {name: value for name, value in given.items() if value is not None},
    }


def error_of(answer: httpx2.Response) -> dict[str, Any]:
    """The error in an answer, which must have the form of OpenAI's."""
    body: dict[str, Any] = answer.json()
    assert set(body) == {"error"}, body
    error: dict[str, Any] = body["error"]
    assert set(error) == {"message", "type", "param", "code"}
    assert error["message"]
    return error


async def nothing_is_charged(browser: Browser, database: Database) -> None:
    """Check that what was reserved for the one call of a person was given back."""
    assert (await browser.get("/api/keys")).json()["data"][0]["seconds_used"] == 0
    async with database.read() as session:
        assert await violations(session) == []
        kinds = list(await session.scalars(select(Movement.kind).order_by(Movement.id)))
    assert kinds == [MovementKind.RESERVE, MovementKind.RELEASE]


def leaving_call(
    app: FastAPI, secret: str, sound: bytes = SOUND, /, **fields: str
) -> tuple[asyncio.Task[None], asyncio.Event]:
    """A call whose program closes its connection when the event is set."""
    request = httpx2.Request(
        "POST", f"http://localhost{TRANSCRIPTIONS}", headers=bearer(secret), **form(sound, **fields)
    )
    body = request.read()
    leaves = asyncio.Event()
    sent = False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}
        await leaves.wait()
        return {"type": "http.disconnect"}

    async def send(_message: Any) -> None:
        """Nobody reads it."""

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "path": TRANSCRIPTIONS,
        "raw_path": TRANSCRIPTIONS.encode(),
        "query_string": b"",
        "root_path": "",
        "scheme": "http",
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "client": ("127.0.0.1", 5),
        "server": ("localhost", 80),
    }
    return asyncio.create_task(app(scope, receive, send)), leaves


@dataclass(frozen=True)
class Worker:
    """Does what a dispatcher does with the jobs of speech requests: claims them, keeps chunks, ends them."""

    state: AppState

    async def claim(self, kind: JobKind) -> Lease:
        """The next job, which must be of this kind; waits until there is one."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            async with self.state.database.write() as session:
                job = await queue.claim(session, "worker")
            if job is not None:
                assert job.kind == kind
                return Lease(job.id, job.fence)
            assert time.monotonic() < deadline, f"No job of kind {kind} was queued."
            await asyncio.sleep(0.02)

    async def keep(self, lease: Lease, key: str, payload: JsonMessage) -> None:
        async with self.state.database.write() as session:
            await queue.keep_chunk(session, lease, key, payload.to_json())

    async def finish(self, kind: JobKind, lease: Lease, value: FlowResult) -> None:
        async with self.state.database.write() as session:
            await endings.finish(session, JOB_TYPES[kind].handler, lease, value)

    async def fail(self, kind: JobKind, lease: Lease, failure: StageFailed, *, attempts: int = 5) -> None:
        """Let the job fail for good, after this many attempts."""
        async with self.state.database.write() as session:
            job = await session.get_one(Job, lease.job_id)
            job.attempt = attempts
            await endings.fail(session, JOB_TYPES[kind].handler, lease, failure, ErrorCode.STAGE)

    async def sound(self, duration_ms: int = 10_500) -> None:
        lease = await self.claim(JobKind.SPEECH_SOUND)
        audio = SpeechSoundResult(audio_key=f"jobs/{lease.job_id}/1/audio.wav", duration_ms=duration_ms)
        await self.finish(JobKind.SPEECH_SOUND, lease, audio)

    async def text(self, *texts: str, language: str = "en-US", kind: JobKind = JobKind.SPEECH_TEXT) -> None:
        lease = await self.claim(kind)
        for number, text in enumerate(texts):
            said = chunk(number, text)
            await self.keep(lease, said.key, said.payload)
        await self.finish(kind, lease, result(*texts, language=language))

    async def until_cancelled(self) -> None:
        """Wait until the one request there is was cancelled."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            async with self.state.database.read() as session:
                states = (await session.scalars(select(SpeechRequest.state))).all()
            if states == [SpeechState.CANCELLED]:
                return
            assert time.monotonic() < deadline, states
            await asyncio.sleep(0.02)

    async def states(self) -> dict[str, str]:
        """The state of each job by kind."""
        async with self.state.database.read() as session:
            return {job.kind: job.state for job in await session.scalars(select(Job))}

    async def removed(self) -> list[str]:
        """The folders of stored objects that are to be removed."""
        async with self.state.database.read() as session:
            payloads = await session.scalars(select(OutboxMessage.payload))
        return [prefix for payload in payloads for prefix in payload.get("prefixes", [])]

    async def ids(self, kind: JobKind) -> list[uuid.UUID]:
        async with self.state.database.read() as session:
            return list(await session.scalars(select(Job.id).where(Job.kind == kind)))
