"""What administrators do to other people's files. Each change leaves an audit entry."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.admin.contents.queries import find
from api.audit.actions import AuditAction
from api.audit.service import record_for
from api.auth.viewer import Viewer
from api.files import service
from api.files.models import File, FileStatus
from api.jobs.job_type import JobTypes

CANCELLED = "An administrator cancelled this file."


async def retry(session: AsyncSession, admin: Viewer, key: str) -> File:
    """Start a failed or cancelled file again where it stopped. Raises NotFound and Conflict."""
    file = await find(session, key)
    await service.retry(session, _owner_of(file), file.slug)
    _record(session, admin, AuditAction.FILE_RETRIED, file)
    return file


async def cancel(session: AsyncSession, types: JobTypes, admin: Viewer, key: str) -> File:
    """Stop all work on a file. Raises NotFound and Conflict."""
    file = await find(session, key)
    await service.cancel(session, types, _owner_of(file), file.slug)
    if file.status == FileStatus.ABANDONED:
        file.error = CANCELLED
    _record(session, admin, AuditAction.FILE_CANCELLED, file)
    return file


def _owner_of(file: File) -> Viewer:
    """An administrator acts with the owner's rights, so that one rule for access holds everywhere."""
    return Viewer(user_id=file.user_id, is_admin=False, team_id=None, is_changing=True)


def _record(session: AsyncSession, admin: Viewer, action: AuditAction, file: File) -> None:
    record_for(
        session,
        admin,
        action,
        subject_id=file.user_id,
        team_id=file.team_id,
        object_kind="file",
        object_id=str(file.id),
        name=file.name,
    )
