"""Take speech requests in, stop those whose program has left, and remove what is over."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, and_, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.translations.languages import require_pair
from api.edges.speech.catalogue import require_model
from api.edges.speech.decoding import Decoding
from api.edges.speech.errors import Busy, MinutesUsedUp
from api.edges.speech.form import SpeechForm
from api.edges.speech.languages import spoken_language
from api.edges.speech.limits import KEEP_HOURS, WORKING_MAX, WORKING_OF_ONE_MAX
from api.edges.speech.models import SpeechRequest, SpeechState, SpeechTask
from api.edges.speech.prompt import terms_of
from api.edges.speech.requirements import require_probabilities, require_speakers, require_temperature
from api.edges.speech.speakers import WantedSpeakers
from api.edges.speech.transitions import SPEECH_STATE
from api.edges.speech.work import (
    ENGLISH,
    KINDS_WITH_TERMS,
    PRIVATE_KINDS,
    SPEECH_KINDS,
    queue_sound,
    queue_text,
    source_folder,
    uncharge,
    voices_folder,
)
from api.people.access.rules import added_by
from api.people.api_keys.caller import Caller
from api.people.api_keys.errors import KeyExhausted
from api.people.ledger.errors import QuotaExceeded
from api.platform.capabilities.queries import capability_of
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs import service as jobs
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job, JobChunk
from api.platform.retention.rules import Rule, RuleTools
from cluster.storage.objects import Storage
from pipelines.languages import AUTO, whisper_code
from pipelines.messages.requests import SpeechOptions
from pipelines.messages.results import SpeechSoundResult
from pipelines.messages.speakers import SpeakerReference

WAV = "sound.wav"


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


@dataclass(frozen=True, slots=True)
class SentFile:
    """The file of a call, in a folder of its own."""

    path: Path
    size_bytes: int


async def accept(
    state: AppState, decoding: Decoding, caller: Caller, task: SpeechTask, form: SpeechForm, sent: SentFile
) -> uuid.UUID:
    """Store the sound, and queue its first job. Returns the id of the request.

    A short sound is decoded at once, and its minutes reserved. Raises `ModelNotFound`, `Unavailable`, `BadCall` for a
    language that the model does not know, `Invalid` for one that cannot be translated, and `MinutesUsedUp`.
    """
    async with state.database.read() as session:
        capability = await capability_of(session)
        require_model(capability, form.model)
        language = spoken_language(capability.loaded, form.spoken)
        if form.wants_logprobs:
            require_probabilities(capability.loaded, language, task)
        if form.temperature > 0:
            require_temperature(capability.loaded, language)
        if form.wants_speakers:
            await require_speakers(session, task)
        if task == SpeechTask.TRANSLATE and language != AUTO and whisper_code(language) != ENGLISH:
            await require_pair(session, caller.viewer, language, ENGLISH)
    wav = sent.path.with_name(WAV)
    duration_ms = await decoding.decode(sent.path, wav)
    request_id = uuid.uuid4()
    key = f"{source_folder(request_id)}/{'source' if duration_ms is None else WAV}"
    await asyncio.to_thread(state.storage.put, sent.path if duration_ms is None else wav, key)
    speakers = await asyncio.to_thread(_stored_speakers, state.storage, request_id, form, sent.path)
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
        speakers=speakers,
        charged_seconds=0,
    )
    options = SpeechOptions(
        terms=terms_of(form.keywords, form.prompt),
        temperature=form.temperature,
        voice=None if form.chunking_strategy is None else form.chunking_strategy.detection,
    )
    try:
        async with state.database.write() as session:
            session.add(request)
            if duration_ms is None:
                await queue_sound(session, request, sent.size_bytes, options)
            else:
                await queue_text(session, request, SpeechSoundResult(audio_key=key, duration_ms=duration_ms), options)
    except (QuotaExceeded, KeyExhausted) as refused:
        folders = [source_folder(request_id), *([voices_folder(request_id)] if form.references else [])]
        async with state.database.write() as session:
            remove_later(session, prefixes=folders)
        raise MinutesUsedUp(refused.message) from None
    return request_id


def _stored_speakers(storage: Storage, request_id: uuid.UUID, form: SpeechForm, sent: Path) -> dict[str, Any] | None:
    """Store the references. `sent` is the file of the call; they are written beside it first."""
    if not form.wants_speakers:
        return None
    references = []
    for index, reference in enumerate(form.references):
        file = sent.with_name(f"voice-{index}")
        file.write_bytes(reference.sound)
        key = f"{voices_folder(request_id)}/{index}"
        storage.put(file, key)
        references.append(SpeakerReference(name=reference.name, key=key))
    return WantedSpeakers(count=form.num_speakers, references=tuple(references)).to_json()


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


async def _purge_expired(kept: RuleTools, before: datetime) -> int:
    """Remove requests whose program never took the answer. Returns how many there were."""
    async with kept.database.write() as session:
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
    with_terms = select(Job.id, Job.request).where(Job.id.in_(job_ids), Job.kind.in_(KINDS_WITH_TERMS))
    for job_id, request in (await session.execute(with_terms)).tuples().all():
        if request.get("terms"):
            await session.execute(update(Job).where(Job.id == job_id).values(request={**request, "terms": []}))
    await session.execute(delete(Job).where(Job.subject_id.in_(ids), Job.kind.in_(PRIVATE_KINDS)))
    await session.execute(delete(SpeechRequest).where(SpeechRequest.id.in_(ids)))


def _jobs_of(request_id: uuid.UUID) -> ColumnElement[bool]:
    return and_(Job.subject_id == request_id, Job.kind.in_(SPEECH_KINDS))


CALLS = Rule("calls of the speech API", timedelta(hours=KEEP_HOURS), _purge_expired)
