"""Take speech requests in, stop those whose program has left, and remove what is over."""

from __future__ import annotations

import asyncio
import uuid
from datetime import datetime
from pathlib import Path

from sqlalchemy import ColumnElement, and_, case, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.access.rules import added_by
from api.api_keys.caller import Caller
from api.db import clock
from api.db.engine import Database
from api.http.state import AppState
from api.jobs import service as jobs
from api.jobs.job_type import JobTypes
from api.jobs.models import Job, JobChunk
from api.jobs.states import JobKind
from api.speech.catalogue import find_model
from api.speech.errors import Busy
from api.speech.form import SpeechForm
from api.speech.languages import spoken_language
from api.speech.limits import KEEP_HOURS, WORKING_MAX, WORKING_OF_ONE_MAX
from api.speech.models import SpeechRequest, SpeechState, SpeechTask
from api.speech.prompt import terms_of
from api.speech.transitions import SPEECH_STATE
from api.speech.work import ENGLISH, KINDS_WITH_TERMS, SPEECH_KINDS, queue_sound, source_folder, uncharge
from api.translations.languages import require_pair
from pipelines.languages import AUTO, whisper_code


async def require_room(database: Database, user_id: uuid.UUID) -> None:
    """Raises `Busy` while too many calls wait for their texts."""
    own = func.sum(case((added_by(user_id, SpeechRequest), 1), else_=0))
    statement = select(func.count(), own).where(
        SpeechRequest.state == SpeechState.WORKING, SpeechRequest.created_at > clock.now(-KEEP_HOURS * 3600)
    )
    async with database.read() as session:
        everybody, one = (await session.execute(statement)).one()
    if everybody >= WORKING_MAX or (one or 0) >= WORKING_OF_ONE_MAX:
        raise Busy


async def accept(
    state: AppState, caller: Caller, task: SpeechTask, form: SpeechForm, sound: Path, size_bytes: int
) -> uuid.UUID:
    """Store the sound, and queue its first job. Returns the id of the request.

    Raises `ModelNotFound`, `Unavailable`, `BadCall` for a language that the model does not know, and `Invalid` for one
    that cannot be translated.
    """
    async with state.database.read() as session:
        await find_model(session, form.model)
        language = await spoken_language(session, form.spoken)
        if task == SpeechTask.TRANSLATE and language != AUTO and whisper_code(language) != ENGLISH:
            await require_pair(session, caller.viewer, language, ENGLISH)
    request_id = uuid.uuid4()
    key = f"{source_folder(request_id)}/source"
    await asyncio.to_thread(state.storage.put, sound, key)
    viewer = caller.viewer
    request = SpeechRequest(
        id=request_id,
        user_id=viewer.user_id,
        team_id=viewer.team_id,
        key_id=caller.key_id,
        state=SpeechState.WORKING,
        task=task,
        language=language,
        source_key=key,
        charged_seconds=0,
    )
    async with state.database.write() as session:
        session.add(request)
        await queue_sound(session, request, size_bytes, terms_of(form.keywords, form.prompt))
    return request_id


async def stop(database: Database, types: JobTypes, request_id: uuid.UUID) -> None:
    """End the work on a request whose program has left, and give its minutes back."""
    async with database.write() as session:
        await jobs.cancel(session, types, _jobs_of(request_id))
        request = await session.get(SpeechRequest, request_id, with_for_update=True, populate_existing=True)
        if request is not None and SPEECH_STATE.try_move(request, SpeechState.CANCELLED):
            await uncharge(session, request)


async def forget(database: Database, request_id: uuid.UUID) -> None:
    """Remove a request that is over, its texts and what the program said of it. Its jobs stay, for the figures."""
    async with database.write() as session:
        await _remove(session, [request_id])


async def purge_expired(database: Database, before: datetime) -> int:
    """Remove requests whose program never took the answer. Returns how many there were."""
    async with database.write() as session:
        statement = select(SpeechRequest.id).where(
            SpeechRequest.created_at < before, SpeechRequest.state != SpeechState.WORKING
        )
        ids = list(await session.scalars(statement))
        await _remove(session, ids)
    return len(ids)


async def _remove(session: AsyncSession, ids: list[uuid.UUID]) -> None:
    job_ids = select(Job.id).where(Job.subject_id.in_(ids), Job.kind.in_(SPEECH_KINDS))
    await session.execute(delete(JobChunk).where(JobChunk.job_id.in_(job_ids)))
    # What the program said of its sound.
    for job in await session.scalars(select(Job).where(Job.id.in_(job_ids), Job.kind.in_(KINDS_WITH_TERMS))):
        if job.request.get("terms"):
            job.request = {**job.request, "terms": []}
    # The request of a translation holds what was said.
    await session.execute(delete(Job).where(Job.subject_id.in_(ids), Job.kind == JobKind.SPEECH_ENGLISH))
    await session.execute(delete(SpeechRequest).where(SpeechRequest.id.in_(ids)))


def _jobs_of(request_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(Job.subject_id == request_id, Job.kind.in_(SPEECH_KINDS))
