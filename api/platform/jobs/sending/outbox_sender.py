"""Sends what the outbox holds: each topic in a loop of its own, in the order its messages were written.

One process sends at a time. Messages delivered before a crash but not yet marked are delivered again, so receivers must
tolerate repeats. A topic that nobody delivers here stays unsent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import delete, func, or_, select, update

from api.platform.db import clock
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.limits import OUTBOX_BATCH, OUTBOX_KEEP_S, OUTBOX_POLL_S, OUTBOX_RETRY_S, OUTBOX_TIDY_S
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.sending.only_one import Confirm, only_one

log = structlog.get_logger(__name__)

Deliver = Callable[[Sequence[dict[str, Any]]], Awaitable[None]]
"""Delivers the payloads of some messages, in order. Raises one of the errors below, or `Undelivered` while their
receiver is unreachable."""


class Undelivered(Exception):
    """The receiver did not take the messages now; it may later."""


class Deferred(Exception):
    """The receiver puts these messages off, while it takes others. Only for deliveries with `defer_s`."""


class Refused(Exception):
    """The receiver never takes these messages. They stay for administrators."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How the messages of one topic leave the outbox.

    `retry_s`: the pauses after failures in a row, while all messages wait. `defer_s`: the pauses of a message that was
    put off; after the last one it has failed. With `keeps_sent` false, messages are deleted once sent. With
    `notes_errors`, a message that waits for its receiver says why.
    """

    topic: str
    deliver: Deliver
    batch: int = OUTBOX_BATCH
    poll_s: float = OUTBOX_POLL_S
    retry_s: tuple[float, ...] = OUTBOX_RETRY_S
    defer_s: tuple[float, ...] = ()
    keeps_sent: bool = True
    notes_errors: bool = False


class OutboxSender:
    def __init__(self, database: Database, deliveries: Sequence[Delivery]) -> None:
        self._database = database
        self._deliveries = deliveries

    async def run(self) -> None:
        """Send forever. While another process sends, wait to take over."""
        while True:
            try:
                async with only_one(self._database) as confirm:
                    if confirm is not None:
                        await self._send_all(confirm)
            except* DATABASE_AWAY:
                log.warning("database.unavailable")
            await asyncio.sleep(OUTBOX_RETRY_S[-1])

    async def _send_all(self, confirm: Confirm) -> None:
        async with asyncio.TaskGroup() as loops:
            for delivery in self._deliveries:
                loops.create_task(self._send_topic(delivery, confirm))
            loops.create_task(self._tidy_often())

    async def _send_topic(self, delivery: Delivery, confirm: Confirm) -> None:
        failures = 0
        # The receiver may start with us: until it took something, only a failure that lasts is worth a warning.
        warns_after = len(delivery.retry_s)
        while True:
            # A process that was suspended here has lost the lock, and must not send old messages after newer ones.
            await confirm()
            try:
                sent = await self.send_batch(delivery)
            except Undelivered as error:
                if failures == warns_after:
                    log.warning("outbox.undelivered", topic=delivery.topic, error=str(error))
                await asyncio.sleep(delivery.retry_s[min(failures, len(delivery.retry_s) - 1)])
                failures += 1
                continue
            if failures > warns_after:
                log.info("outbox.delivers_again", topic=delivery.topic, failures=failures)
            failures = 0
            if sent:
                warns_after = 0
            if sent < delivery.batch:
                await asyncio.sleep(delivery.poll_s)

    async def send_batch(self, delivery: Delivery) -> int:
        """Deliver the oldest unsent messages of the topic and return their number. Raises `Undelivered`.

        No transaction is open while they travel.
        """
        statement = (
            select(OutboxMessage.id, OutboxMessage.payload, OutboxMessage.attempts)
            .where(
                OutboxMessage.published_at.is_(None),
                OutboxMessage.topic == delivery.topic,
                OutboxMessage.failed_at.is_(None),
                or_(OutboxMessage.not_before.is_(None), OutboxMessage.not_before <= clock.now()),
            )
            .order_by(OutboxMessage.id)
            .limit(delivery.batch)
        )
        async with self._database.read() as session:
            messages = (await session.execute(statement)).tuples().all()
        if not messages:
            return 0
        ids = [message_id for message_id, _, _ in messages]
        try:
            await _deliver(delivery, [payload for _, payload, _ in messages])
        except Deferred as error:
            await self._defer(delivery, ids, max(attempts for _, _, attempts in messages), str(error))
            return len(messages)
        except Refused as error:
            await self._fail(delivery, ids, str(error))
            return len(messages)
        except Undelivered as error:
            if delivery.notes_errors:
                await self._change(ids, error=str(error))
            raise
        if delivery.keeps_sent:
            await self._change(ids, published_at=clock.now(), attempts=OutboxMessage.attempts + 1)
        else:
            await self._remove(ids)
        return len(messages)

    async def _defer(self, delivery: Delivery, ids: Sequence[int], attempts: int, error: str) -> None:
        if attempts >= len(delivery.defer_s):
            await self._fail(delivery, ids, error)
            return
        pause_s = delivery.defer_s[attempts]
        log.warning("outbox.deferred", topic=delivery.topic, messages=ids, pause_s=pause_s, error=error)
        await self._change(ids, not_before=clock.now(pause_s), attempts=OutboxMessage.attempts + 1, error=error)

    async def _fail(self, delivery: Delivery, ids: Sequence[int], error: str) -> None:
        log.error("outbox.failed", topic=delivery.topic, messages=ids, error=error)
        await self._change(ids, failed_at=clock.now(), attempts=OutboxMessage.attempts + 1, error=error)

    async def _change(self, ids: Sequence[int], **values: Any) -> None:
        async with self._database.write() as session:
            await session.execute(
                update(OutboxMessage)
                .where(OutboxMessage.id.in_(ids))
                .values(**values)
                .execution_options(synchronize_session=False)
            )

    async def _remove(self, ids: Sequence[int]) -> None:
        async with self._database.write() as session:
            await session.execute(
                delete(OutboxMessage).where(OutboxMessage.id.in_(ids)).execution_options(synchronize_session=False)
            )

    async def _tidy_often(self) -> None:
        while True:
            await self.tidy()
            await self.report_unknown()
            await asyncio.sleep(OUTBOX_TIDY_S)

    async def tidy(self) -> None:
        """Remove messages that were sent long ago."""
        async with self._database.write() as session:
            await session.execute(
                delete(OutboxMessage)
                .where(OutboxMessage.published_at < clock.now(-OUTBOX_KEEP_S))
                .execution_options(synchronize_session=False)
            )

    async def report_unknown(self) -> None:
        """Log the topics nobody delivers here. Another version may know them, so their messages stay unsent."""
        statement = (
            select(OutboxMessage.topic, func.count())
            .where(
                OutboxMessage.published_at.is_(None),
                OutboxMessage.topic.not_in([delivery.topic for delivery in self._deliveries]),
            )
            .group_by(OutboxMessage.topic)
        )
        async with self._database.read() as session:
            for topic, count in (await session.execute(statement)).tuples():
                log.error("outbox.unknown_topic", topic=topic, unsent=count)


async def _deliver(delivery: Delivery, payloads: Sequence[dict[str, Any]]) -> None:
    try:
        await delivery.deliver(payloads)
    except (Undelivered, Deferred, Refused):
        raise
    except Exception as error:
        # A fault in one delivery must not end the loops of the others.
        log.exception("outbox.delivery_broken", topic=delivery.topic)
        raise Undelivered(f"{type(error).__name__}: {error}") from error
