"""Create a file once its bytes are complete and stored, and queue the first work on it."""

from __future__ import annotations

from pathlib import PurePath

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload
from api.content.files.models import File, FileStatus
from api.content.files.webhooks import facts_of
from api.content.preparation.work import enqueue_work, ingest_work
from api.people.access.audience import audience_of
from api.people.webhooks.emission import emit
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.notices import Notice
from api.platform.webhooks.events import FileCreated


async def create_file(session: AsyncSession, upload: Upload, *, original_key: str, size_bytes: int) -> File:
    """Create the file of a finished upload and its first job, in the caller's transaction."""
    file = File(
        user_id=upload.user_id,
        team_id=upload.team_id,
        upload_id=upload.id,
        name=PurePath(upload.filename).stem or upload.filename,
        filename=upload.filename,
        status=FileStatus.WAITING,
        language=upload.language,
        detects_speakers=upload.detects_speakers,
        size_bytes=size_bytes,
        original_key=original_key,
    )
    session.add(file)
    await session.flush()
    await enqueue_work(session, file, ingest_work(file))
    audience = await audience_of(session, file)
    for topic, action, slug in (
        (Topic.TUS, Action.COMPLETED, upload.slug),
        (Topic.UPLOAD, Action.DISPATCHED, file.slug),
    ):
        add_event(session, Notice(audience, event(topic, action, slug=slug, name=file.name)))
    await emit(session, file, FileCreated(file=facts_of(file)))
    return file
