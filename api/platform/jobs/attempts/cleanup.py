"""Stored objects that are no longer needed, removed after the commit and retried until storage has done it.

A delivery of its own, so that events do not wait for storage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.limits import CLEANUP_BATCH, CLEANUP_POLL_S, CLEANUP_RETRY_S
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.sending.outbox_sender import Delivery, Undelivered
from cluster.storage.objects import BadKey, Storage, StorageUnavailable

log = structlog.get_logger(__name__)

STORAGE_CLEANUP = "storage.delete"
"""Topic of a message that names stored objects to remove, by `keys` or by folders in `prefixes`."""


def remove_later(session: AsyncSession, *, keys: list[str] | None = None, prefixes: list[str] | None = None) -> None:
    """Have objects removed once the transaction is committed."""
    session.add(OutboxMessage(topic=STORAGE_CLEANUP, payload={"keys": keys or [], "prefixes": prefixes or []}))


def cleanup_delivery(storage: Storage) -> Delivery:
    async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
        try:
            for payload in payloads:
                await asyncio.to_thread(_remove, storage, payload)
        except StorageUnavailable as error:
            raise Undelivered(str(error)) from error

    return Delivery(STORAGE_CLEANUP, deliver, batch=CLEANUP_BATCH, poll_s=CLEANUP_POLL_S, retry_s=(CLEANUP_RETRY_S,))


def _remove(storage: Storage, payload: dict[str, Any]) -> None:
    objects: list[tuple[Callable[[str], None], str]] = [(storage.delete, key) for key in payload.get("keys", [])]
    objects += [(storage.delete_prefix, prefix) for prefix in payload.get("prefixes", [])]
    for remove, name in objects:
        try:
            remove(name)
        except (BadKey, OSError) as error:
            log.error("storage.not_deleted", name=name, error=str(error))
