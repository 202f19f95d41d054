"""What transcribing a file does to its rows, and what browsers are told of it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.captions.models import CaptionLineRow, Transcription
from api.captions.rows import insert_lines
from api.files.models import File, FileStatus
from api.files.transitions import move
from api.jobs.handlers import Handler
from api.jobs.models import Job
from api.jobs.outbox import add_event
from api.jobs.queue import is_begun_again
from api.jobs.states import JobKind
from api.realtime.messages import Action, PollingMessage, Queue
from pipelines.captions.json_form import line_from_json
from pipelines.captions.lines import CaptionLine
from pipelines.flows.messages import Chunk, Progress, Result, StageFailed
from pipelines.languages import AUTO

STARTED = "Started transcribing your video."
COMPLETED = "Your video transcription is ready."
OFFLINE_ENGINE = "pocketsphinx"
OFFLINE_NOTE = (
    "The offline engine was used, because no Whisper model is installed. It knows English only, writes no punctuation "
    "and errs more often."
)
NO_SPEECH = "No speech was found in this file, so there are no captions. You can still write some by hand."
FAILED = "An error occurred while attempting to transcribe your video."

_ENGINE_MAX = 100


def _message(file: File, action: Action, **more: Any) -> PollingMessage:
    return PollingMessage(queue=Queue.TRANSCRIBE, action=action, slug=file.slug, name=file.name, **more)


class TranscribeHandler:
    async def on_started(self, session: AsyncSession, job: Job, value: None) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        move(file, FileStatus.TRANSCRIBING)
        file.error = None
        add_event(session, file.user_id, _message(file, Action.STARTED, message=STARTED))

    async def on_progress(self, session: AsyncSession, job: Job, value: Progress) -> list[PollingMessage]:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return []
        file.progress = job.progress
        file.phase = value.phase
        return [_message(file, Action.PROGRESS, progress=job.progress)]

    async def on_chunk(self, session: AsyncSession, job: Job, value: Chunk) -> list[PollingMessage]:
        """The chunk itself is kept by the queue; the page is told to fetch the draft again."""
        file = await session.get(File, job.subject_id)
        return [] if file is None else [_message(file, Action.PROGRESS, progress=min(99, job.progress))]

    async def on_done(self, session: AsyncSession, job: Job, value: Result) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        result = value.payload
        if file.language == AUTO and result["language"] != AUTO:
            file.language = result["language"]
        await _keep(session, file, result)
        engine = result["engine"]
        # A model may be named by its folder; where that is on the server is nobody's business but the admin's.
        file.engine = f"{engine['engine']} {PurePath(engine['model']).name}"[:_ENGINE_MAX]
        if file.audio_key is not None:
            file.engine_note = _note(result)
        move(file, FileStatus.COMPLETED)
        file.progress = 100
        file.phase = ""
        file.error = None
        add_event(session, file.user_id, _message(file, Action.COMPLETED, progress=100, message=COMPLETED))

    async def on_failed(self, session: AsyncSession, job: Job, value: StageFailed) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is None:
            return
        move(file, FileStatus.FAILED)
        file.phase = ""
        file.error = f"{FAILED} {value.reason}"
        add_event(session, file.user_id, _message(file, Action.FAILED, message=file.error))

    async def on_cancelled(self, session: AsyncSession, job: Job, value: None) -> None:
        file = await session.get(File, job.subject_id, with_for_update=True)
        if file is not None and not await is_begun_again(session, job):
            move(file, FileStatus.ABANDONED)
            file.phase = ""


def _note(result: Mapping[str, Any]) -> str | None:
    """What a reader of the captions must know of how they came about."""
    if not result["lines"]:
        return NO_SPEECH
    return OFFLINE_NOTE if result["engine"]["engine"] == OFFLINE_ENGINE else None


async def _keep(session: AsyncSession, file: File, result: Mapping[str, Any]) -> None:
    """Write the lines. Captions that a person has changed stay as they are."""
    statement = select(Transcription).where(Transcription.file_id == file.id).with_for_update()
    transcription = (await session.scalars(statement)).one_or_none()
    if transcription is not None and transcription.revision > 0:
        return
    if transcription is None:
        transcription = Transcription(file_id=file.id)
        session.add(transcription)
    transcription.language = result["language"]
    transcription.engine = dict(result["engine"])
    await session.flush()
    await session.execute(delete(CaptionLineRow).where(CaptionLineRow.transcription_id == transcription.id))
    await insert_lines(session, transcription.id, _lines(result), revision=0)


def _lines(result: Mapping[str, Any]) -> list[CaptionLine]:
    return [replace(line_from_json(value), id=str(uuid.uuid4())) for value in result["lines"]]


HANDLERS: dict[str, Handler] = {JobKind.TRANSCRIBE: TranscribeHandler()}
