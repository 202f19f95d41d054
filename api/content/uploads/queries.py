from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File
from api.content.uploads.schemas import UploadOut
from api.people.access.rules import may_see, require_change
from api.people.auth.viewer import Viewer
from api.platform.http.errors import NotFound
from api.platform.http.paging import PageQuery
from cluster.wording.message import Message

UPLOAD_NOT_FOUND = Message("uploads.upload_not_found", "We could not find this upload. It may have been removed.")
MAX_NAMED = 500
"""The most uploads that one call may name."""

_TUS_ID = re.compile(r"^[0-9a-f]{40}$")


async def displayed(session: AsyncSession, viewer: Viewer, page: PageQuery) -> tuple[Sequence[Upload], int]:
    """A page of the viewer's displayed uploads, newest first, and the total of all pages."""
    which = (may_see(viewer, Upload), Upload.is_displayed)
    statement = select(Upload).where(*which).order_by(Upload.created_at.desc(), Upload.id)
    uploads = (await session.scalars(statement.offset(page.offset).limit(page.size))).all()
    return uploads, await session.scalar(select(func.count()).select_from(Upload).where(*which)) or 0


async def several(session: AsyncSession, viewer: Viewer, ids: str) -> Sequence[Upload]:
    """The uploads of `ids`, joined by commas, in that order. `NotFound` unless all of them are the viewer's."""
    try:
        wanted = list(dict.fromkeys(uuid.UUID(part.strip()) for part in ids.split(",")))
    except ValueError:
        raise NotFound(UPLOAD_NOT_FOUND) from None
    if len(wanted) > MAX_NAMED:
        raise NotFound(UPLOAD_NOT_FOUND)
    statement = select(Upload).where(may_see(viewer, Upload), Upload.id.in_(wanted))
    found = {upload.id: upload for upload in await session.scalars(statement)}
    if len(found) != len(wanted):
        raise NotFound(UPLOAD_NOT_FOUND)
    return [found[upload_id] for upload_id in wanted]


async def find(session: AsyncSession, viewer: Viewer, key: str) -> Upload:
    """The upload of an id or slug. `Forbidden` for a change of a colleague's."""
    statement = select(Upload).where(may_see(viewer, Upload))
    try:
        statement = statement.where(or_(Upload.id == uuid.UUID(key), Upload.slug == key))
    except ValueError:
        statement = statement.where(Upload.slug == key)
    upload = (await session.scalars(statement)).one_or_none()
    if upload is None:
        raise NotFound(UPLOAD_NOT_FOUND)
    require_change(viewer, upload)
    return upload


async def find_by_url(session: AsyncSession, viewer: Viewer, tus_url: str) -> Upload:
    """The same for a tus URL. Only the id at its end counts; nothing is fetched."""
    try:
        tus_id = urlsplit(tus_url).path.rstrip("/").rpartition("/")[2]
    except ValueError:
        raise NotFound(UPLOAD_NOT_FOUND) from None
    if not _TUS_ID.match(tus_id):
        raise NotFound(UPLOAD_NOT_FOUND)
    statement = select(Upload).where(may_see(viewer, Upload), Upload.tus_id == tus_id)
    upload = (await session.scalars(statement)).one_or_none()
    if upload is None:
        raise NotFound(UPLOAD_NOT_FOUND)
    require_change(viewer, upload)
    return upload


async def describe_all(session: AsyncSession, uploads: Sequence[Upload]) -> list[UploadOut]:
    ids = [upload.id for upload in uploads]
    found = (
        await session.execute(
            select(File.upload_id, File.slug).where(File.upload_id.in_(ids), File.deleted_at.is_(None))
        )
        if ids
        else ()
    )
    slugs = {upload_id: slug for upload_id, slug in found}
    return [_describe(upload, slugs.get(upload.id)) for upload in uploads]


async def describe(session: AsyncSession, upload: Upload) -> UploadOut:
    return (await describe_all(session, [upload]))[0]


def _describe(upload: Upload, file_slug: str | None) -> UploadOut:
    return UploadOut(
        id=upload.id,
        slug=upload.slug,
        tus_url=upload.tus_url,
        filename=upload.filename,
        filetype=upload.filetype,
        filesize=upload.filesize,
        language=upload.language,
        detects_speakers=upload.detects_speakers,
        status=upload.status,
        is_displayed=upload.is_displayed,
        bytes_uploaded=upload.bytes_uploaded,
        error=upload.error,
        file_slug=file_slug,
        created_at=upload.created_at,
        updated_at=upload.updated_at,
    )


async def uploads_in_progress(session: AsyncSession) -> int:
    statement = select(func.count()).select_from(Upload).where(Upload.status == UploadStatus.UPLOADING)
    return await session.scalar(statement) or 0
