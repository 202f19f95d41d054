"""Live recordings through the calls of a page, and what their flow hands over through the product's own handler."""

from __future__ import annotations

import uuid
from typing import Any

import httpx2
from sqlalchemy import select

from api.content.files.models import File
from api.content.live.jobs import LiveHandler
from api.people.ledger.metering import MeteredHandler
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import JobKind
from api.testing.browser import Browser
from api.testing.files.transcribed import ENGINE
from pipelines.media.sound.journal import PIECE_BYTES
from pipelines.messages.attempt import Chunk, Progress
from pipelines.messages.live import LiveResult, LiveWords, passage_key, words_key
from pipelines.messages.results import IngestResult, TranscribedWindow
from serve.tasks.transcription.messages import Segment, Word

PIECE = b"\1\0" * (PIECE_BYTES // 2)
HANDLER = MeteredHandler(LiveHandler())


class LivePage:
    """A page that records."""

    def __init__(self, browser: Browser, slug: str, source: uuid.UUID) -> None:
        self.browser = browser
        self.slug = slug
        self.source = source

    @classmethod
    async def begin(cls, browser: Browser, **more: Any) -> LivePage:
        source = uuid.uuid4()
        answer = await browser.post("/api/live", json={"language": "en-US", "source": str(source), **more})
        assert answer.status_code == 201, answer.text
        return cls(browser, answer.json()["data"]["slug"], source)

    async def send(self, number: int, pcm: bytes = PIECE) -> httpx2.Response:
        url = f"/api/live/{self.slug}/sound/{number}?source={self.source}"
        return await self.browser.put(url, content=pcm)

    async def sent(self, number: int, pcm: bytes = PIECE) -> dict[str, Any]:
        answer = await self.send(number, pcm)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["data"]
        return found

    async def end(self) -> dict[str, Any]:
        answer = await self.browser.post(f"/api/live/{self.slug}/end")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["data"]
        return found

    async def look(self, after: int = 0) -> dict[str, Any]:
        answer = await self.browser.get(f"/api/live/{self.slug}?after={after}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["data"]
        return found


def spoken(text: str, start_ms: int) -> tuple[Word, ...]:
    """A word every 400 ms."""
    return tuple(
        Word(start_ms + at * 400, start_ms + at * 400 + 300, word, 0.9) for at, word in enumerate(text.split())
    )


def words_chunk(index: int, text: str, start_ms: int = 0) -> Chunk:
    return Chunk(words_key(index), LiveWords(index=index, words=spoken(text, start_ms)))


def passage_chunk(index: int, text: str, start_ms: int = 0) -> Chunk:
    words = spoken(text, start_ms)
    segment = Segment(start_ms, words[-1].end_ms, text, words, "en")
    window = TranscribedWindow(
        index=index,
        start_ms=start_ms,
        end_ms=words[-1].end_ms,
        language="en",
        language_probability=1.0,
        segments=(segment,),
    )
    return Chunk(passage_key(index), window)


def silence_chunk(index: int, start_ms: int, end_ms: int) -> Chunk:
    window = TranscribedWindow(
        index=index, start_ms=start_ms, end_ms=end_ms, language=None, language_probability=1.0, segments=()
    )
    return Chunk(passage_key(index), window)


class LiveFlow:
    """The attempt of a recording, as a dispatcher writes it down."""

    def __init__(self, state: AppState, lease: Lease) -> None:
        self.state = state
        self.lease = lease

    @classmethod
    async def begin(cls, state: AppState, slug: str) -> LiveFlow:
        async with state.database.write() as session:
            file = (await session.scalars(select(File).where(File.slug == slug))).one()
            job = await queue.claim(session, "a test", [JobKind.LIVE])
            assert job is not None
            assert job.subject_id == file.id
            await HANDLER.on_started(session, job)
            return cls(state, Lease(job.id, job.fence))

    async def hand_over(self, chunk: Chunk) -> None:
        async with self.state.database.write() as session:
            job, _ = await queue.hold(session, self.lease)
            if await queue.keep_chunk(session, self.lease, chunk.key, chunk.payload.to_json()):
                await HANDLER.on_chunk(session, job, chunk)

    async def progress(self) -> None:
        """As every two seconds."""
        async with self.state.database.write() as session:
            job, _ = await queue.hold(session, self.lease)
            await HANDLER.on_progress(session, job, Progress("live", 0, 0, "audio_ms"))

    async def job(self) -> Job:
        async with self.state.database.read() as session:
            return await session.get_one(Job, self.lease.job_id)

    async def finish(self, duration_ms: int = 60_000, passages: int = 1) -> None:
        recording = IngestResult(
            kind="audio", duration_ms=duration_ms, audio_key="jobs/live/audio.wav", plays_in_browser=True
        )
        result = LiveResult(
            recording=recording,
            original_key="jobs/live/recording.wav",
            size_bytes=1_000,
            engine=ENGINE,
            passages=passages,
        )
        async with self.state.database.write() as session:
            await endings.finish(session, HANDLER, self.lease, result)
