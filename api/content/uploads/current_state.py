"""The events that bring a page up to date on a viewer's uploads."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload, UploadStatus
from api.people.access.rules import may_see
from api.people.auth.viewer import Viewer
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, PollingMessage, Topic


async def unfinished_uploads(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    """One event for each upload whose bytes have arrived and whose file is not there yet."""
    waiting = select(Upload).where(may_see(viewer, Upload), Upload.status == UploadStatus.WAITING)
    return [
        event(Topic.TUS, Action.COMPLETED, slug=upload.slug, progress=100, name=upload.filename)
        for upload in await session.scalars(waiting.order_by(Upload.created_at))
    ]
