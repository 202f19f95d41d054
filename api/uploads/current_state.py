"""The events that bring a page up to date on a viewer's uploads."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.access.rules import may_see
from api.auth.viewer import Viewer
from api.realtime.events import event
from api.realtime.messages import Action, PollingMessage, Topic
from api.uploads.models import Upload, UploadStatus


async def unfinished_uploads(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    """One event for each upload whose bytes have arrived and whose file is not there yet."""
    waiting = select(Upload).where(may_see(viewer, Upload), Upload.status == UploadStatus.WAITING)
    return [
        event(Topic.TUS, Action.COMPLETED, slug=upload.slug, progress=100, name=upload.filename)
        for upload in await session.scalars(waiting.order_by(Upload.created_at))
    ]
