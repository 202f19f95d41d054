"""Files as a finished or running transcription leaves them, made by the product's own handlers."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import select

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.files.models import File, FileStatus
from api.content.preparation.jobs import UploadHandler
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind, JobState
from api.testing.files.uploaded_file import uploaded_file
from pipelines.captions.line_builder import lines_from_segments
from pipelines.messages.attempt import Chunk
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.results import IngestResult, TranscribedWindow, TranscribeResult
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import Segment, Word

ENGINE = EngineInfo("transcription", "whisper", "tiny", "cpu", "Found.")
PREPARED = IngestResult(kind="video", duration_ms=60_000, audio_key="files/a/audio.wav", plays_in_browser=True)

SENTENCES = ("The harbour is closed today.", "Nobody knows when it opens.", "Ask again tomorrow morning.")
"""Spoken from 1 s on, one every 5 s; each word lasts 300 ms, with 100 ms between words."""


def segment(number: int, text: str) -> Segment:
    start = 1_000 + number * 5_000
    words = tuple(Word(start + i * 400, start + i * 400 + 300, word, 0.9) for i, word in enumerate(text.split()))
    return Segment(start, words[-1].end_ms, text, words, "en")


def result(*texts: str, language: str = "en-US", engine: EngineInfo = ENGINE) -> TranscribeResult:
    said = [segment(number, text) for number, text in enumerate(texts)]
    lines = tuple(lines_from_segments(said, DEFAULT_RULES))
    return TranscribeResult(language=language, language_probability=1.0, engine=engine, lines=lines)


def chunk(number: int, text: str) -> Chunk:
    said = segment(number, text)
    window = TranscribedWindow(
        index=number,
        start_ms=said.start_ms,
        end_ms=said.end_ms,
        language="en",
        language_probability=1.0,
        segments=(said,),
    )
    return Chunk(f"window-{number:06}", window)


async def transcribing_file(state: AppState, user_id: uuid.UUID, **more: Any) -> tuple[File, Job]:
    """A prepared file with a running transcribe job."""
    file = await uploaded_file(state, user_id, **more)
    async with state.database.write() as session:
        upload = (await session.scalars(select(Job).where(Job.subject_id == file.id))).one()
        upload.state = JobState.DONE
        await UploadHandler().on_started(session, upload)
        await UploadHandler().on_done(session, upload, PREPARED)
        await session.flush()
        statement = select(Job).where(Job.subject_id == file.id, Job.kind == JobKind.TRANSCRIBE)
        job = (await session.scalars(statement)).one()
        job.state = JobState.RUNNING
        await TranscribeHandler().on_started(session, job)
        file = (await session.scalars(select(File).where(File.id == file.id))).one()
    return file, job


async def keep_chunk(state: AppState, job: Job, value: Chunk) -> None:
    async with state.database.write() as session:
        session.add(JobChunk(job_id=job.id, key=value.key, fence=job.fence, payload=value.payload.to_json()))
        await TranscribeHandler().on_chunk(session, job, value)


async def finish(state: AppState, job: Job, value: TranscribeResult) -> None:
    """End the job with a result. When the file is not being transcribed, another attempt starts first."""
    async with state.database.write() as session:
        row = await session.get_one(Job, job.id)
        file = await session.get_one(File, job.subject_id)
        if file.status != FileStatus.TRANSCRIBING:
            await TranscribeHandler().on_started(session, row)
        row.state = JobState.DONE
        await TranscribeHandler().on_done(session, row, value)


async def captioned_file(state: AppState, user_id: uuid.UUID, *texts: str, **more: Any) -> File:
    """A file whose captions are the sentences, one per line."""
    file, job = await transcribing_file(state, user_id, **more)
    await finish(state, job, result(*(texts or SENTENCES)))
    return file
