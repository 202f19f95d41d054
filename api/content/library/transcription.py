"""Transcribe a file in the language a person chooses, whatever state the file is in."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.tracks import require_free, tracks_of
from api.content.files import queries
from api.content.files.language import require_usable
from api.content.files.models import File, FileKind, FileStatus
from api.content.files.transitions import FILE_STATUS
from api.content.library import service
from api.content.preparation.work import enqueue_work, transcribe_work
from api.people.access.audience import notice_of
from api.people.auth.viewer import Viewer
from api.people.ledger.models import Reason
from api.platform.http.errors import Conflict
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.wording.message import Message

NO_SOUND = Message(
    "library.no_sound",
    "This file has no sound, so there is nothing to transcribe. You can still write captions by hand.",
)

_BEFORE_TRANSCRIPTION = (FileStatus.UPLOADING, FileStatus.WAITING, FileStatus.PROCESSING)


async def transcribe_in(
    session: AsyncSession,
    types: JobTypes,
    viewer: Viewer,
    key: str,
    language: str | None,
    *,
    free: Reason | None = None,
) -> File:
    """Transcribe a file in a language (None: the one it has), now or as soon as it is prepared.

    A transcription that is running is stopped and begun anew. Captions that are there stay until the new ones are,
    which take their place as one change that can be undone. It costs nothing when it is `free`. Raises `Invalid`,
    `LanguageUnsupported`, `LanguageTaken`, `QuotaExceeded`, and `Conflict` for a file without sound.
    """
    file = await queries.find(session, viewer, key)
    await require_usable(session, language or file.language)
    # Lock jobs before files, as everybody does. A job that ends just now decides the step of the file.
    await jobs.hold_unfinished(session, jobs.of_files([file.id]))
    await queries.lock(session, file)
    language = language or file.language
    await require_free(session, file.id, language, besides=(await tracks_of(session, file)).transcription)
    if file.status in _BEFORE_TRANSCRIPTION:
        file.language = language
        return file
    if file.status == FileStatus.TRANSCRIBING:
        if file.language == language:
            return file
        await jobs.cancel(session, types, jobs.of_files([file.id], JobKind.TRANSCRIBE))
        await queries.lock(session, file)
    file.language = language
    if file.audio_key is None:
        if file.status == FileStatus.COMPLETED:
            raise Conflict(NO_SOUND)
        return await service.retry(session, viewer, key)
    await _queue_transcription(session, file, free)
    return file


async def _queue_transcription(session: AsyncSession, file: File, free: Reason | None) -> None:
    await enqueue_work(session, file, await transcribe_work(session, file), free=free)
    file.error = file.error_code = None
    file.progress = 0
    file.phase = ""
    FILE_STATUS.move(file, FileStatus.TRANSCRIBING)
    is_sound = file.kind == FileKind.AUDIO
    dispatched = event(Topic.TRANSCRIBE, Action.DISPATCHED, slug=file.slug, name=file.name, is_sound=is_sound)
    add_event(session, await notice_of(session, file, dispatched))
