"""Events that bring a page up to date on unfinished exports."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.exports.models import Export, ExportStatus
from api.content.exports.service import message
from api.content.files.models import File
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.realtime.messages import Action, PollingMessage


async def unfinished_exports(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    rows = await session.execute(
        select(Export, File)
        .join(File, File.id == Export.file_id)
        .where(
            may_see(viewer, File),
            Export.status.in_((ExportStatus.SUBMITTED, ExportStatus.PROGRESSING)),
        )
        .order_by(Export.created_at)
    )
    messages = []
    for export, file in rows.tuples():
        is_running = export.status == ExportStatus.PROGRESSING
        actions = (Action.STARTED, Action.PROGRESS) if is_running else (Action.DISPATCHED,)
        messages += [message(file, export, action, progress=export.progress) for action in actions]
    return messages
