"""Files whose speakers should have been detected after the transcription, and were not."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Row, exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack, Speaker, TrackOrigin
from api.content.files.models import File, FileStatus
from api.platform.db.expressions import in_list
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind


async def without_detection(
    session: AsyncSession, files: Sequence[File | Row[*tuple[Any, ...]]]
) -> Collection[uuid.UUID]:
    """The ids of those where somebody speaks, no engine could detect who, and nobody has named a speaker since."""
    ids = [file.id for file in files if file.detects_speakers and file.status == FileStatus.COMPLETED]
    if not ids:
        return ()
    spoken = exists().where(
        CaptionTrack.file_id == File.id,
        CaptionTrack.origin == TrackOrigin.TRANSCRIPTION,
        CaptionLineRow.track_id == CaptionTrack.id,
    )
    statement = select(File.id).where(
        in_list(session, File.id, ids),
        spoken,
        ~exists().where(Job.file_id == File.id, Job.kind == JobKind.SPEAKERS),
        ~exists().where(Speaker.file_id == File.id),
    )
    return set(await session.scalars(statement))
