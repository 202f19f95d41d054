"""What becomes of files, uploads and terms when a session, a membership, an account or a team ends."""

from __future__ import annotations

import uuid

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import TusUpload, Upload, UploadStatus, UploadToken
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.files.models import File
from api.content.files.transitions import UNFINISHED
from api.content.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.content.library.bin import service as bin
from api.content.quality.models import QualityProfileRow
from api.content.styles.models import CaptionStyleRow
from api.content.tags.models import Tag
from api.content.uploads.record_rows import end
from api.people.access.rules import added_by, by_member, of_owner
from api.platform.db import clock
from api.platform.db.expressions import in_list
from api.platform.jobs import service as jobs
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import Job

FILES_AT_ONCE = 50
"""In one transaction, which holds SQLite's write lock."""

TABLES_OF_TEAMS = (
    GlossaryTermRow,
    KnownWordRow,
    WordCorrectionRow,
    CaptionStyleRow,
    QualityProfileRow,
    Upload,
    TusUpload,
    UploadToken,
    Tag,
)
"""What a team owns beside its files."""


class ContentBelongings:
    """See `api.people.access.belongings.Belongings`."""

    async def continue_uploads(self, session: AsyncSession, old_hash: str | None, new_hash: str) -> None:
        await session.execute(
            update(UploadToken).where(UploadToken.session_hash == old_hash).values(session_hash=new_hash)
        )

    async def end_uploads(self, session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID) -> None:
        """Bytes that still arrive are refused; the sweep removes the rest."""
        await session.execute(delete(UploadToken).where(by_member(user_id, team_id, UploadToken)))
        unfinished = (
            select(TusUpload.id)
            .where(
                by_member(user_id, team_id, TusUpload),
                TusUpload.completed_at.is_(None),
                TusUpload.terminated_at.is_(None),
            )
            .order_by(TusUpload.id)
        )
        for tus_id in (await session.scalars(unfinished)).all():
            if await end(session, tus_id):
                await session.execute(
                    UPLOAD_STATUS.update_to(UploadStatus.CANCELLED)
                    .where(Upload.tus_id == tus_id)
                    .values(is_displayed=False, updated_at=clock.now())
                )

    async def stop_of_person(self, session: AsyncSession, types: JobTypes, user_id: uuid.UUID) -> None:
        files = (await session.scalars(select(File.id).where(of_owner(user_id, None, File)))).all()
        await jobs.cancel(session, types, jobs.of_files(files))
        await session.execute(delete(UploadToken).where(added_by(user_id, UploadToken)))

    async def stop_of_team(self, session: AsyncSession, types: JobTypes, team_id: uuid.UUID) -> None:
        of_team = select(File.id).where(File.team_id == team_id)
        await jobs.cancel(session, types, Job.file_id.in_(of_team))
        unfinished = (
            select(File)
            .where(File.team_id == team_id, File.status.in_(UNFINISHED))
            .order_by(File.id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        files = (await session.scalars(unfinished)).all()
        await bin.end_uploads(session, files)
        for file in files:
            await bin.stop(session, file)

    async def hand_over_work(
        self, session: AsyncSession, user_id: uuid.UUID, team_id: uuid.UUID, heir_id: uuid.UUID
    ) -> None:
        files = select(File.id).where(by_member(user_id, team_id, File))
        await session.execute(
            update(Job)
            .where(Job.file_id.in_(files), added_by(user_id, Job))
            .values(user_id=heir_id)
            .execution_options(synchronize_session=False)
        )

    async def purge_of_person(self, session: AsyncSession, user_id: uuid.UUID) -> bool:
        some = select(File).where(added_by(user_id, File)).order_by(File.id).limit(FILES_AT_ONCE).with_for_update()
        files = (await session.scalars(some)).all()
        await bin.purge(session, files)
        return len(files) == FILES_AT_ONCE

    async def purge_of_team(self, session: AsyncSession, types: JobTypes, team_id: uuid.UUID) -> bool:
        some = select(File.id).where(File.team_id == team_id).order_by(File.id).limit(FILES_AT_ONCE)
        ids = (await session.scalars(some)).all()
        await jobs.cancel(session, types, jobs.of_files(ids))
        files = select(File).where(in_list(session, File.id, ids)).order_by(File.id).with_for_update()
        await bin.purge(session, (await session.scalars(files.execution_options(populate_existing=True))).all())
        return len(ids) == FILES_AT_ONCE

    async def purge_rest_of_team(self, session: AsyncSession, team_id: uuid.UUID) -> None:
        for table in TABLES_OF_TEAMS:
            await session.execute(
                delete(table).where(table.team_id == team_id).execution_options(synchronize_session=False)
            )
