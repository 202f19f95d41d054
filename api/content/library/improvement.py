"""Find files that the loaded engine would transcribe better than the one that did, and transcribe them again."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import TypeAlias

from sqlalchemy import Row, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionTrack, TrackOrigin
from api.content.files.models import File, FileStatus
from api.content.library.schemas import IMPROVED_AT_ONCE, ImprovableFile, Improvement
from api.content.library.transcription import transcribe_in
from api.people.access.rules import may_change
from api.people.auth.viewer import Viewer
from api.people.ledger.models import Reason
from api.platform.capabilities.queries import capability_of
from api.platform.db.expressions import in_list
from api.platform.jobs.job_type import JobTypes
from pipelines.language_choice import FALLBACK, unavailable_reason
from pipelines.languages import AUTO
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.messages import OFFLINE_ENGINE

Candidate: TypeAlias = Row[uuid.UUID, str, str, str, FileStatus, int]
"""Id, slug, name, language, status and caption revision of a file."""

_OFFLINE = and_(File.status == FileStatus.COMPLETED, File.engine.startswith(OFFLINE_ENGINE))
_REFUSED = and_(File.status == FileStatus.FAILED, File.error_code == LANGUAGE_UNSUPPORTED)


async def improvement(session: AsyncSession, viewer: Viewer) -> Improvement:
    """What a better model than the built-in one can do for the viewer's files. Empty until one is loaded."""
    loaded = await _better_engine(session)
    # To support that only looks into the account, nothing is offered.
    if loaded is None or not viewer.may_change:
        return Improvement(label=None, files=[])
    files = [
        ImprovableFile(id=row.id, slug=row.slug, name=row.name, is_edited=row.revision > 0)
        for row in await _candidates(session, viewer)
        if unavailable_reason(loaded, _language(row, loaded)) is None
    ]
    return Improvement(label=engine_label(loaded.engine, loaded.model), files=files)


async def improve(session: AsyncSession, types: JobTypes, viewer: Viewer, ids: Sequence[uuid.UUID]) -> int:
    """Transcribe these files again and return how many were queued. Files that no longer need it are skipped.

    Their captions stay until the new ones replace them as one change, which can be undone. What the built-in engine
    transcribed before is not charged again.
    """
    loaded = await _better_engine(session)
    if loaded is None:
        return 0
    queued = 0
    for row in await _candidates(session, viewer, ids):
        language = _language(row, loaded)
        if unavailable_reason(loaded, language) is None:
            # A file whose language the built-in engine refused has not been charged yet.
            free = Reason.ENGINE if row.status == FileStatus.COMPLETED else None
            await transcribe_in(session, types, viewer, str(row.id), language, free=free)
            queued += 1
    return queued


async def _better_engine(session: AsyncSession) -> EngineInfo | None:
    loaded = (await capability_of(session)).loaded
    return None if loaded is None or loaded.engine == OFFLINE_ENGINE else loaded


async def _candidates(
    session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID] | None = None
) -> Sequence[Candidate]:
    statement = (
        select(
            File.id,
            File.slug,
            File.name,
            File.language,
            File.status,
            func.coalesce(CaptionTrack.revision, 0).label("revision"),
        )
        .outerjoin(
            CaptionTrack, and_(CaptionTrack.file_id == File.id, CaptionTrack.origin == TrackOrigin.TRANSCRIPTION)
        )
        .where(may_change(viewer, File), File.audio_key.is_not(None), or_(_OFFLINE, _REFUSED))
        .order_by(File.created_at.desc(), File.id)
        .limit(IMPROVED_AT_ONCE)
    )
    if ids is not None:
        statement = statement.where(in_list(session, File.id, list(ids)))
    return (await session.execute(statement)).all()


def _language(row: Candidate, loaded: EngineInfo) -> str:
    """The file's own language if a person chose it, not if the built-in engine set it."""
    own: str = row.language
    is_given = row.status == FileStatus.COMPLETED and own == FALLBACK
    return AUTO if is_given and loaded.detects_language else own
