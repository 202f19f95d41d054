from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import exists, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.captions.texts.speaker_names import SpeakerStyle

EXPORT_NOT_FOUND = Message(
    "exports.export_not_found", "This export was removed. Export the video again to get a new one."
)

UNFINISHED = (ExportStatus.SUBMITTED, ExportStatus.PROGRESSING)
USABLE = (*UNFINISHED, ExportStatus.COMPLETE)


async def of_file(session: AsyncSession, file: File) -> Sequence[Export]:
    statement = select(Export).where(Export.file_id == file.id).order_by(Export.created_at.desc(), Export.id)
    return (await session.scalars(statement)).all()


async def find(session: AsyncSession, file: File, export_id: uuid.UUID) -> Export:
    export = await session.get(Export, export_id)
    if export is None or export.file_id != file.id:
        raise NotFound(EXPORT_NOT_FOUND)
    return export


async def same(session: AsyncSession, file_id: uuid.UUID, form_key: str, *, speakers: SpeakerStyle) -> Export | None:
    """A finished or running export that would show the same.

    A finished one with names does not count: names belong to the file and may have changed since.
    """
    statuses = UNFINISHED if speakers is SpeakerStyle.LABELS else USABLE
    statement = (
        select(Export)
        .where(Export.file_id == file_id, Export.form_key == form_key, Export.status.in_(statuses))
        .order_by(Export.created_at.desc())
        .limit(1)
    )
    return (await session.scalars(statement)).one_or_none()


async def keeps_parts(session: AsyncSession, file_id: uuid.UUID) -> bool:
    """Whether an export of the file, other than a removed one, uses or will use its stored parts."""
    wanted = exists().where(Export.file_id == file_id, or_(Export.keeps_parts.is_(True), Export.status.in_(UNFINISHED)))
    return bool(await session.scalar(select(wanted)))
