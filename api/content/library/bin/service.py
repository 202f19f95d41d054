"""The bin: deleted files that can be restored for a while, and their end."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.captions.tracks import captions_language
from api.content.exports.models import Export
from api.content.files.log import record_of_file
from api.content.files.models import OBJECT_KEYS, File, FileStatus
from api.content.files.queries import FILE_NOT_FOUND
from api.content.files.transitions import FILE_STATUS, UNFINISHED
from api.content.files.webhooks import facts_of
from api.content.library.bin.schemas import BinQuery
from api.people.access.audience import notice_of
from api.people.access.rules import may_restore, may_see, require_change
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.people.teams.models import Team, is_open
from api.people.webhooks.emission import emit
from api.platform.db import clock
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.db.expressions import contains_text, in_list
from api.platform.db.reread import reread
from api.platform.http.errors import NotFound
from api.platform.jobs import service as jobs
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job
from api.platform.jobs.outbox import add_event
from api.platform.jobs.states import JobState
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from api.platform.webhooks.events import FileDeleted
from cluster.wording.message import Message
from pipelines.media.sound.journal import journal_of
from pipelines.messages.results import parts_folder

BIN_DAYS = 30
"""A file can be restored for this long. Then every byte of it goes."""

STOPPED = Message("library.stopped", "This file was deleted before it was finished. Start it again to go on.")
NOT_IN_BIN = Message(
    "library.not_in_bin", "This file is not in the bin. Somebody may have restored it or deleted it for good."
)

_PURGE_BATCH = 50
_ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


async def move_to_bin(session: AsyncSession, types: JobTypes, viewer: Viewer, ids: Sequence[uuid.UUID]) -> None:
    """Delete the files, all or none, so that they can be restored. Their work is cancelled."""
    now = await session.scalar(select(clock.now()))
    for file in await _lock_files(session, types, viewer, ids):
        file.deleted_at = now
        await stop(session, file)
        await _announce_deletion(session, file, permanent=False)
        record_of_file(session, viewer, AuditAction.FILE_DELETED, file)


async def bin_outlived(database: Database, types: JobTypes) -> int:
    """Move to the bin what is longer in its team than the team keeps files. Returns how many files."""
    async with database.read() as session:
        limits = select(Team.keep_days).distinct().where(Team.keep_days.is_not(None), is_open())
        days = [limit for limit in await session.scalars(limits) if limit is not None]
    return sum([await _bin_older(database, types, each) for each in days])


async def _bin_older(database: Database, types: JobTypes, days: int) -> int:
    teams = select(Team.id).where(Team.keep_days == days, is_open())
    since = func.coalesce(File.kept_since, File.created_at)
    statement = (
        select(File)
        .where(
            File.team_id.in_(teams),
            File.deleted_at.is_(None),
            since < clock.now(-timedelta(days=days).total_seconds()),
        )
        .order_by(File.id)
        .limit(_PURGE_BATCH)
    )
    count = 0
    while True:
        async with database.write() as session:
            now = await session.scalar(select(clock.now()))
            files = (await session.scalars(statement)).all()
            for file in await _lock(session, types, files):
                file.deleted_at = now
                await stop(session, file)
                await _announce_deletion(session, file, permanent=False)
                record_of_file(session, None, AuditAction.FILE_OUTLIVED, file, days=days)
        count += len(files)
        if len(files) < _PURGE_BATCH:
            return count


async def discard(session: AsyncSession, types: JobTypes, viewer: Viewer, ids: Sequence[uuid.UUID]) -> None:
    """Delete files of uploads that somebody cancels: they never were anything to restore. All or none."""
    files = await _lock_files(session, types, viewer, ids)
    for file in files:
        await _announce_deletion(session, file, permanent=True)
    await purge(session, files, with_records=False)


async def _lock_files(session: AsyncSession, types: JobTypes, viewer: Viewer, ids: Sequence[uuid.UUID]) -> list[File]:
    """The files outside the bin, locked, with their work and uploads ended. Raises `NotFound` unless all are there."""
    statement = select(File).where(in_list(session, File.id, ids), may_see(viewer, File)).order_by(File.id)
    files = (await session.scalars(statement)).all()
    if len(files) != len(set(ids)):
        raise NotFound(FILE_NOT_FOUND)
    for file in files:
        require_change(viewer, file)
    return await _lock(session, types, files)


async def _lock(session: AsyncSession, types: JobTypes, files: Sequence[File]) -> list[File]:
    """Those files that are still outside the bin, locked, with their work and uploads ended.

    Locks jobs, then files, then uploads, as the job handlers do: two callers with different orders would deadlock.
    """
    await jobs.cancel(session, types, jobs.of_files([file.id for file in files]))
    # A job that ended just now may have added objects to the file.
    present = [file for file in files if await reread(session, file) is not None and file.deleted_at is None]
    await end_uploads(session, present)
    return present


async def restore(session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID]) -> None:
    """Take the files out of the bin, all or none. Work that was cancelled stays so until somebody starts it."""
    for file in await _in_bin(session, viewer, ids):
        file.deleted_at, file.kept_since = None, utc_now()
        await _announce(session, file, Action.RESTORED)
        record_of_file(session, viewer, AuditAction.FILE_RESTORED, file)


async def purge_from_bin(session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID] | None) -> int:
    """Delete files of the bin for good, all or none; without `ids` all that the viewer may. Returns how many."""
    files = await _in_bin(session, viewer, ids)
    for file in files:
        record_of_file(session, viewer, AuditAction.FILE_PURGED, file)
        await _announce_deletion(session, file, permanent=True)
    await purge(session, files)
    return len(files)


async def purge(session: AsyncSession, files: Sequence[File], *, with_records: bool = True) -> None:
    """Delete rows and bytes of files, wherever they are. Their jobs must have been cancelled.

    Objects go once the transaction is committed. With `with_records`, their ended jobs and uploads go too.
    """
    for file in files:
        keys: list[str | None] = [getattr(file, column.key) for column in OBJECT_KEYS]
        keys += (await session.scalars(select(Export.export_key).where(Export.file_id == file.id))).all()
        remove_later(session, keys=[key for key in keys if key], prefixes=[parts_folder(file.id), journal_of(file.id)])
        if with_records:
            # Requests and chunks hold names and words. The file's row is locked already, which is out of order, but
            # nobody takes an ended job of a file in the bin.
            await session.execute(delete(Job).where(Job.file_id == file.id, Job.state.in_(_ENDED)))
        await session.execute(delete(File).where(File.id == file.id))
        if with_records and file.upload_id is not None:
            tus_id = await session.scalar(select(Upload.tus_id).where(Upload.id == file.upload_id))
            await session.execute(delete(Upload).where(Upload.id == file.upload_id))
            await session.execute(delete(TusUpload).where(TusUpload.id == tus_id))


async def purge_expired(database: Database, before: datetime) -> int:
    """Delete for good what was moved to the bin before then. Returns how many files."""
    count = 0
    while True:
        async with database.write() as session:
            statement = select(File).where(File.deleted_at < before).order_by(File.id).limit(_PURGE_BATCH)
            files = (await session.scalars(statement.with_for_update(skip_locked=True))).all()
            await purge(session, files)
        count += len(files)
        if len(files) < _PURGE_BATCH:
            return count


async def listed(session: AsyncSession, viewer: Viewer, query: BinQuery) -> tuple[Sequence[File], int]:
    """A page of the viewer's bin, the newest first, and the number of files in it."""
    which = [may_restore(viewer, File)]
    if query.q:
        which.append(contains_text(File.name, query.q))
    statement = select(File).where(*which).order_by(File.deleted_at.desc(), File.id)
    files = (await session.scalars(statement.offset(query.offset).limit(query.size))).all()
    return files, await session.scalar(select(func.count()).select_from(File).where(*which)) or 0


def days_left(file: File) -> int:
    """Days until a file of the bin is deleted for good, the one that has begun included."""
    if file.deleted_at is None:
        return BIN_DAYS
    left = file.deleted_at + timedelta(days=BIN_DAYS) - utc_now()
    return min(BIN_DAYS, max(0, ceil(left / timedelta(days=1))))


async def _in_bin(session: AsyncSession, viewer: Viewer, ids: Sequence[uuid.UUID] | None) -> Sequence[File]:
    statement = select(File).where(may_restore(viewer, File)).order_by(File.id).with_for_update()
    if ids is not None:
        statement = statement.where(in_list(session, File.id, ids))
    files = (await session.scalars(statement)).all()
    if ids is not None and len(files) != len(set(ids)):
        raise NotFound(NOT_IN_BIN)
    return files


async def stop(session: AsyncSession, file: File) -> None:
    """Leave an unfinished file in a status from which it can be started again."""
    if file.status not in UNFINISHED and file.status != FileStatus.ABANDONED:
        return
    language = await captions_language(session, file)
    if language is not None and FILE_STATUS.try_move(file, FileStatus.COMPLETED):
        # Another transcription was cancelled: the captions it would have replaced are unchanged.
        file.language, file.progress, file.phase = language, 100, ""
    elif file.status in UNFINISHED:
        FILE_STATUS.move(file, FileStatus.ABANDONED)
        file.error, file.phase = STOPPED, ""
    elif file.error is None:
        file.error = STOPPED


async def end_uploads(session: AsyncSession, files: Sequence[File]) -> None:
    """End uploads whose files are deleted before they are prepared."""
    ids = sorted(file.upload_id for file in files if file.upload_id is not None)
    for upload_id in ids:
        upload = await session.get(Upload, upload_id, populate_existing=True, with_for_update=True)
        if upload is None:
            continue
        if upload.status in (UploadStatus.WAITING, UploadStatus.PROCESSING):
            UPLOAD_STATUS.move(upload, UploadStatus.CANCELLED)
        upload.is_displayed = False


async def _announce(session: AsyncSession, file: File, action: Action) -> None:
    add_event(session, await notice_of(session, file, event(Topic.FILE, action, slug=file.slug, name=file.name)))


async def _announce_deletion(session: AsyncSession, file: File, *, permanent: bool) -> None:
    await _announce(session, file, Action.DELETED)
    await emit(session, file, FileDeleted(file=facts_of(file), permanent=permanent))
