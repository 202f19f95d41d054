"""Stored objects that nobody will ask for any more: removed by every dispatcher, again until storage has done it.

Apart from the events, which must not wait for storage. Two that remove the same do no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.db import clock
from api.db.engine import DATABASE_AWAY, Database
from api.jobs.limits import CLEANUP_BATCH, CLEANUP_POLL_S, CLEANUP_RETRY_S
from api.jobs.models import OutboxMessage
from cluster.storage import BadKey, Storage, StorageUnavailable

log = structlog.get_logger(__name__)

STORAGE_CLEANUP = "storage.delete"
"""Topic of an outbox row that names stored objects, by `keys` or by folders in `prefixes`, to remove."""


def remove_later(session: AsyncSession, *, keys: list[str] | None = None, prefixes: list[str] | None = None) -> None:
    """Have objects removed once the transaction is committed."""
    session.add(OutboxMessage(topic=STORAGE_CLEANUP, payload={"keys": keys or [], "prefixes": prefixes or []}))


class StorageCleaner:
    def __init__(self, database: Database, storage: Storage) -> None:
        self._database = database
        self._storage = storage

    async def run(self) -> None:
        """For ever."""
        while True:
            wait_s = CLEANUP_POLL_S
            try:
                while await self.clean() == CLEANUP_BATCH:
                    continue
            except StorageUnavailable as error:
                log.warning("storage.unavailable", error=str(error))
                wait_s = CLEANUP_RETRY_S
            except DATABASE_AWAY:
                log.warning("database.unavailable")
            await asyncio.sleep(wait_s)

    async def clean(self) -> int:
        """Remove what the oldest rows name; how many rows. Raises `StorageUnavailable`."""
        statement = (
            select(OutboxMessage)
            .where(OutboxMessage.published_at.is_(None), OutboxMessage.topic == STORAGE_CLEANUP)
            .order_by(OutboxMessage.id)
            .limit(CLEANUP_BATCH)
        )
        async with self._database.read() as session:
            messages = (await session.scalars(statement)).all()
        for message in messages:
            await asyncio.to_thread(self._remove, message.payload)
            async with self._database.write() as session:
                await session.execute(
                    update(OutboxMessage)
                    .where(OutboxMessage.id == message.id)
                    .values(published_at=clock.now(), attempts=OutboxMessage.attempts + 1)
                )
        return len(messages)

    def _remove(self, payload: dict[str, Any]) -> None:
        named: list[tuple[Callable[[str], None], str]] = [
            (self._storage.delete, key) for key in payload.get("keys", [])
        ]
        named += [(self._storage.delete_prefix, prefix) for prefix in payload.get("prefixes", [])]
        for remove, name in named:
            try:
                remove(name)
            except (BadKey, OSError) as error:
                log.error("storage.not_deleted", name=name, error=str(error))
