"""Ends live recordings that nobody continues, and says so to the flow again where a process died in between."""

from __future__ import annotations

from datetime import timedelta

import structlog
from sqlalchemy import select

from api.content.files.models import File, FileStatus
from api.content.live.errors import SILENT
from api.content.live.models import LiveSession, LiveState
from api.content.live.service import close_journal, end_recording
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage, StorageUnavailable

log = structlog.get_logger(__name__)

WATCH_EVERY_S = 15.0


class LiveWatch:
    """Called by a dispatcher every `WATCH_EVERY_S`."""

    def __init__(self, database: Database, storage: Storage, settings: ApiSettings) -> None:
        self._database = database
        self._storage = storage
        self._settings = settings

    async def __call__(self) -> None:
        """A recording that has ended and whose file is still live gets its last object once more: it may lack it."""
        minutes = self._settings.live_silence_minutes
        quiet = LiveSession.sound_at < utc_now() - timedelta(minutes=minutes)
        ended = LiveSession.state == LiveState.ENDED
        statement = (
            select(LiveSession.file_id)
            .join(File, File.id == LiveSession.file_id)
            .where(File.status == FileStatus.LIVE, quiet | ended)
        )
        async with self._database.read() as session:
            due = (await session.scalars(statement)).all()
        for file_id in due:
            async with self._database.write() as session:
                file = await session.get(File, file_id, with_for_update=True)
                live = await session.get(LiveSession, file_id, with_for_update=True)
                if file is None or live is None or file.status != FileStatus.LIVE:
                    continue
                await end_recording(session, file, live, SILENT(minutes=minutes))
            try:
                await close_journal(self._storage, self._settings.work_root, live)
            except StorageUnavailable as error:
                # The next look tries again.
                log.warning("storage.unavailable", file_id=str(file_id), error=str(error))
