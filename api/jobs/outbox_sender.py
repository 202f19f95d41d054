"""Sends the events of the outbox to the relay, in the order they were written.

One process sends at a time. What was sent before a crash and not marked is sent again: receivers must not mind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from itertools import groupby

import structlog
from sqlalchemy import delete, select, update

from api.db import clock
from api.db.engine import DATABASE_AWAY, Database
from api.jobs.cleanup import STORAGE_CLEANUP
from api.jobs.limits import OUTBOX_BATCH, OUTBOX_KEEP_S, OUTBOX_POLL_S, OUTBOX_RETRY_S
from api.jobs.models import OutboxMessage
from api.jobs.only_one import Confirm, only_one
from api.realtime.messages import EVENT
from api.realtime.publisher import ChannelEvent, Publisher, RelayRefused, RelayUnavailable

log = structlog.get_logger(__name__)

TIDY_EVERY_S = 3600.0


class OutboxSender:
    def __init__(self, database: Database, publisher: Publisher) -> None:
        self._database = database
        self._publisher = publisher

    async def run(self) -> None:
        """For ever. While another process sends, this one waits to take over."""
        while True:
            try:
                async with only_one(self._database) as confirm:
                    if confirm is not None:
                        await self._send_for_ever(confirm)
            except DATABASE_AWAY:
                log.warning("database.unavailable")
            await asyncio.sleep(OUTBOX_RETRY_S[-1])

    async def _send_for_ever(self, confirm: Confirm) -> None:
        failures = 0
        tidied = 0.0
        while True:
            # Whoever was frozen here has lost the lock meanwhile, and must not send old events after newer ones.
            await confirm()
            try:
                sent = await self.send_batch()
                if failures:
                    log.info("outbox.relay_back", failures=failures)
                failures = 0
            except RelayUnavailable as error:
                wait = OUTBOX_RETRY_S[min(failures, len(OUTBOX_RETRY_S) - 1)]
                if not failures:
                    log.warning("outbox.relay_away", error=str(error))
                failures += 1
                await asyncio.sleep(wait)
                continue
            if time.monotonic() - tidied > TIDY_EVERY_S:
                await self.tidy()
                tidied = time.monotonic()
            if sent < OUTBOX_BATCH:
                await asyncio.sleep(OUTBOX_POLL_S)

    async def send_batch(self) -> int:
        """Send the oldest unsent messages; how many. No transaction is open while they travel."""
        async with self._database.read() as session:
            statement = select(OutboxMessage).where(
                OutboxMessage.published_at.is_(None), OutboxMessage.topic != STORAGE_CLEANUP
            )
            messages = (await session.scalars(statement.order_by(OutboxMessage.id).limit(OUTBOX_BATCH))).all()
        for topic, run in groupby(messages, lambda message: message.topic):
            same = list(run)
            await self._send(topic, same)
            async with self._database.write() as session:
                await session.execute(
                    update(OutboxMessage)
                    .where(OutboxMessage.id.in_([message.id for message in same]))
                    .values(published_at=clock.now(), attempts=OutboxMessage.attempts + 1)
                    .execution_options(synchronize_session=False)
                )
        return len(messages)

    async def _send(self, topic: str, messages: Sequence[OutboxMessage]) -> None:
        if topic == EVENT:
            await self._publish([ChannelEvent(m.payload["channel"], m.payload["data"]) for m in messages])
        else:
            log.error("outbox.unknown_topic", topic=topic, ids=[message.id for message in messages])

    async def _publish(self, events: Sequence[ChannelEvent]) -> None:
        try:
            await self._publisher.publish(events)
        except RelayRefused as refused:
            if len(events) == 1:
                # It would be refused for ever, and everything behind it would wait.
                log.error("outbox.event_refused", channel=events[0].channel, error=str(refused))
                return
            for event in events:
                await self._publish([event])

    async def tidy(self) -> None:
        """Remove what was sent long ago."""
        async with self._database.write() as session:
            await session.execute(
                delete(OutboxMessage)
                .where(OutboxMessage.published_at < clock.now(-OUTBOX_KEEP_S))
                .execution_options(synchronize_session=False)
            )
