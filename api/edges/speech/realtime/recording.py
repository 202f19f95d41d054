"""The live recording of a session: its sound goes into the journal, and nothing that is kept there is lost."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterable

import structlog

from api.content.live import service, sound
from api.content.live.errors import LiveEnded, OtherSource, TooFast
from api.people.auth.viewer import Viewer
from api.platform.db.engine import DATABASE_AWAY
from api.platform.http.errors import NotFound
from api.platform.http.state import AppState
from cluster.storage.objects import StorageUnavailable
from pipelines.media.sound.journal import PIECE_MS

log = structlog.get_logger(__name__)

AGAIN_AFTER_S = 1.0
AWAY_AT_MOST_S = 60.0
"""So long the sound waits for a database or store that is away. The program's sound waits in its connection."""


class Recording:
    def __init__(
        self, state: AppState, viewer: Viewer, file_id: uuid.UUID, slug: str, source: uuid.UUID, pieces: int
    ) -> None:
        """`pieces` are kept already."""
        self.file_id = file_id
        self.slug = slug
        self._state = state
        self._viewer = viewer
        self._source = source
        self._pieces = pieces

    @property
    def kept_ms(self) -> int:
        return self._pieces * PIECE_MS

    async def keep(self, pieces: Iterable[bytes]) -> None:
        """Keep them in order. One that comes too early waits.

        Raises `LiveEnded`, `OtherSource`, `NotFound` and `QuotaExceeded`, and what a database or store that stays away
        raises.
        """
        for pcm in pieces:
            await self._keep(sound.Piece(self._pieces, self._source, pcm))

    async def _keep(self, piece: sound.Piece) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + AWAY_AT_MOST_S
        while True:
            try:
                self._pieces = (await sound.keep(self._state, self._viewer, self.slug, piece)).next_piece
            except TooFast:
                until = loop.time() + AWAY_AT_MOST_S
            except (*DATABASE_AWAY, StorageUnavailable) as error:
                log.warning("realtime.sound_waits", slug=self.slug, error=type(error).__name__)
                if loop.time() > until:
                    raise
            else:
                return
            await asyncio.sleep(AGAIN_AFTER_S)

    async def end(self, rest: Iterable[bytes]) -> None:
        """Keep the rest, and say that nothing follows. It may have ended, or go on elsewhere."""
        try:
            await self.keep(rest)
            await service.end(self._state, self._viewer, self.slug, self._source)
        except (LiveEnded, OtherSource, NotFound):
            log.info("realtime.ended_elsewhere", slug=self.slug)
        except (*DATABASE_AWAY, StorageUnavailable) as error:
            # The dispatcher ends recordings that nobody continues.
            log.warning("realtime.not_ended", slug=self.slug, error=type(error).__name__)
