"""The sessions of this web process: how many one person has, and recordings whose program was cut off."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

from starlette.requests import HTTPConnection

from api.content.live.errors import TOO_MANY_OF_OWN, TooManyLive
from cluster.background import end

RESUME_WITHIN_S = 60.0
"""A program that was cut off may come back so long. Then the recording ends."""


class RealtimeSessions:
    def __init__(self) -> None:
        self._of_person: Counter[uuid.UUID] = Counter()
        self._lingering: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def place(self, user_id: uuid.UUID, most: int) -> AsyncIterator[None]:
        """A place for one more session of a person. Raises `TooManyLive`."""
        if self._of_person[user_id] >= most:
            raise TooManyLive(TOO_MANY_OF_OWN)
        self._of_person[user_id] += 1
        try:
            yield
        finally:
            self._of_person[user_id] -= 1
            if not self._of_person[user_id]:
                del self._of_person[user_id]

    def end_later(self, end_recording: Callable[[], Awaitable[None]]) -> None:
        """End a recording unless its program comes back.

        Where this process ends before, the dispatcher ends recordings that nobody continues.
        """

        async def wait() -> None:
            await asyncio.sleep(RESUME_WITHIN_S)
            await end_recording()

        task = asyncio.create_task(wait())
        self._lingering.add(task)
        task.add_done_callback(self._lingering.discard)

    async def close(self) -> None:
        await end(*self._lingering)


def sessions_of(connection: HTTPConnection) -> RealtimeSessions:
    return cast(RealtimeSessions, connection.app.state.realtime)
