"""Applies what a browser reports about its uploads, and cancels them. The tus record decides what is true."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import ARRIVING, UPLOAD_STATUS
from api.content.files.models import File
from api.content.library.bin import service as bin
from api.content.uploads import queries
from api.content.uploads.names import better_filetype, clean_filename, clean_filetype
from api.content.uploads.record_rows import end
from api.content.uploads.schemas import UploadChange, UploadRecord
from api.people.auth.viewer import Viewer
from api.platform.http.errors import Conflict, NotFound
from api.platform.jobs.job_type import JobTypes
from cluster.wording.message import Message

NOT_WHOLE = Message("uploads.not_whole", "Not all bytes of this upload have arrived yet. Send the rest first.")

_S = UploadStatus
_NEEDS_ALL_BYTES = frozenset({_S.WAITING, _S.UPLOADED})


async def record(session: AsyncSession, viewer: Viewer, body: UploadRecord) -> Upload:
    """Store what a browser reports about an upload. The row has existed since its creation."""
    upload = await queries.find_by_url(session, viewer, body.tus_url)
    _describe(upload, body)
    return upload


async def change(session: AsyncSession, types: JobTypes, viewer: Viewer, body: UploadChange) -> Upload:
    """Apply progress, an error or a status. A report older than the server's state changes nothing."""
    upload = await queries.find_by_url(session, viewer, body.tus_url)
    if body.status == _S.CANCELLED:
        await cancel(session, types, viewer, upload)
        return upload
    _describe(upload, body)
    if body.is_displayed is not None:
        upload.is_displayed = body.is_displayed
    tus = (await session.scalars(select(TusUpload).where(TusUpload.id == upload.tus_id))).one_or_none()
    if tus is None or tus.completed_at is not None or tus.terminated_at is not None:
        return upload
    if body.status in _NEEDS_ALL_BYTES and tus.offset != tus.length:
        raise Conflict(NOT_WHOLE)
    if body.bytes_uploaded is not None and upload.status in ARRIVING:
        upload.bytes_uploaded = (
            body.bytes_uploaded if upload.filesize is None else min(body.bytes_uploaded, upload.filesize)
        )
    # The completion itself writes `waiting`, together with the file and its job.
    if body.status is not None and body.status not in _NEEDS_ALL_BYTES and UPLOAD_STATUS.try_move(upload, body.status):
        upload.error = None if body.status == _S.UPLOADING else upload.error
    if body.error is not None and upload.status in (_S.INCOMPLETE, _S.FAILED):
        upload.error = body.error or None
    return upload


async def cancel(session: AsyncSession, types: JobTypes, viewer: Viewer, upload: Upload) -> None:
    """Stop an upload or the preparation of its file. If the file is ready or has failed, only hide the upload.

    After the commit, the caller removes the bytes of an unfinished upload. Call this before any other change in the
    session: it locks the tus record or the file's jobs, then the file, and the upload last.
    """
    if upload.status == _S.CANCELLED:
        return
    was_arriving = upload.tus_id is not None and await end(session, upload.tus_id)
    if not was_arriving:
        # The last byte may have arrived since the upload was read.
        await session.refresh(upload)
        if upload.status in (_S.WAITING, _S.PROCESSING):
            await _remove_file(session, types, viewer, upload)
    await session.refresh(upload, with_for_update=True)
    upload.is_displayed = False
    if was_arriving or upload.status in (_S.WAITING, _S.PROCESSING):
        UPLOAD_STATUS.move(upload, _S.CANCELLED)


async def _remove_file(session: AsyncSession, types: JobTypes, viewer: Viewer, upload: Upload) -> None:
    file_id = await session.scalar(select(File.id).where(File.upload_id == upload.id))
    if file_id is None:
        return
    try:
        await bin.discard(session, types, viewer, [file_id])
    except NotFound:
        # Another call has deleted it.
        return


def _describe(upload: Upload, body: UploadRecord) -> None:
    """All but the size may change until the upload is a file of its own."""
    if upload.status not in (*ARRIVING, _S.FAILED):
        return
    if body.filetype is not None:
        upload.filetype = better_filetype(upload.filetype, clean_filetype(body.filetype))
    if body.filename is not None:
        upload.filename = clean_filename(body.filename, upload.filetype)
    if body.language is not None:
        upload.language = body.language
    if body.detects_speakers is not None:
        upload.detects_speakers = body.detects_speakers
    if body.filesize is not None and upload.filesize is None:
        upload.filesize = body.filesize
