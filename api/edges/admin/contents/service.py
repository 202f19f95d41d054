"""What administrators do to other people's files. Each change leaves an audit entry."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.log import record_of_file
from api.content.files.models import File, FileStatus
from api.content.library import service
from api.content.library.bin import service as bin
from api.edges.admin.contents.queries import find
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.platform.jobs.job_type import JobTypes
from cluster.wording.message import Message

CANCELLED = Message("admin.cancelled", "An administrator cancelled this file.")


async def retry(session: AsyncSession, admin: Viewer, key: str) -> File:
    """Start a failed or cancelled file again where it stopped. Raises NotFound and Conflict."""
    file = await find(session, key)
    await service.retry(session, _owner_of(file, admin), file.slug)
    record_of_file(session, admin, AuditAction.FILE_RETRIED, file)
    return file


async def cancel(session: AsyncSession, types: JobTypes, admin: Viewer, key: str) -> File:
    """Stop all work on a file. Raises NotFound and Conflict."""
    file = await find(session, key)
    await service.cancel(session, types, _owner_of(file, admin), file.slug)
    if file.status == FileStatus.ABANDONED:
        file.error = CANCELLED
    record_of_file(session, admin, AuditAction.FILE_CANCELLED, file)
    return file


async def move_to_bin(session: AsyncSession, types: JobTypes, admin: Viewer, key: str) -> File:
    """Delete a file so that it can be restored. Raises NotFound, also for a file in the bin."""
    file = await find(session, key)
    await bin.move_to_bin(session, types, _owner_of(file, admin), [file.id])
    return file


async def restore(session: AsyncSession, admin: Viewer, key: str) -> File:
    """Take a file out of the bin. Raises NotFound for a file that is not in it."""
    file = await find(session, key)
    await bin.restore(session, _owner_of(file, admin), [file.id])
    return file


def _owner_of(file: File, admin: Viewer) -> Viewer:
    """An administrator acts with the owner's rights, so that one rule for access holds everywhere.

    Audit entries name the administrator.
    """
    return Viewer(
        user_id=file.user_id,
        is_admin=False,
        team_id=None,
        is_changing=True,
        admin_id=admin.user_id,
        network=admin.network,
    )
