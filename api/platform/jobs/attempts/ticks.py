"""Live progress: sent straight to the relay, only the newest value, and no loss if one goes missing."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

from api.platform.jobs.limits import TICK_EVERY_S
from api.platform.realtime.notices import Notice
from api.platform.realtime.publisher import ChannelEvent, Publisher, RelayRefused, RelayUnavailable, event_for


class Ticks:
    """Collects the newest tick of each job and sends them together."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher
        self._newest: dict[uuid.UUID, list[ChannelEvent]] = {}
        self._sending = asyncio.Lock()

    def offer(self, job_id: uuid.UUID, notices: Sequence[Notice], eta_s: int | None) -> None:
        if notices:
            timed = [each if each.message.eta_s is not None else each.with_fields(eta_s=eta_s) for each in notices]
            self._newest[job_id] = [
                event_for(user_id, notice.message) for notice in timed for user_id in notice.audience.user_ids
            ]

    async def drop(self, job_id: uuid.UUID) -> None:
        """Forget a job that is about to end, because no tick may arrive after its last event."""
        self._newest.pop(job_id, None)
        async with self._sending:
            pass

    def take(self) -> list[ChannelEvent]:
        events = [event for each in self._newest.values() for event in each]
        self._newest.clear()
        return events

    async def run(self) -> None:
        while True:
            await asyncio.sleep(TICK_EVERY_S)
            async with self._sending:
                events = self.take()
                if events:
                    await self._send(events)

    async def _send(self, events: Sequence[ChannelEvent]) -> None:
        try:
            await self._publisher.publish(events)
        except (RelayUnavailable, RelayRefused):
            # The next tick replaces this one, and state events travel through the outbox.
            return
