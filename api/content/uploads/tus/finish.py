"""The end of an upload: its bytes become an object, or go away."""

from __future__ import annotations

from functools import partial

import structlog

from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.records import TusRecord

log = structlog.get_logger(__name__)


async def finish(tus: TusContext, record: TusRecord) -> None:
    """Complete an upload that has all its bytes and whose lock is held. Safe to repeat after a crash at any point."""
    await tus.complete(record)
    await tus.threads.run(partial(tus.store.discard, record))
    log.info("upload.completed", upload_id=record.id, bytes=record.offset)


async def discard_if_free(tus: TusContext, upload_id: str) -> None:
    """Remove the bytes of an upload that is over. If a request is still writing it, that request removes them."""
    async with tus.locks.hold(upload_id) as lock:
        record = await tus.records.get(upload_id) if lock is not None else None
        if record is not None:
            await tus.threads.run(partial(tus.store.discard, record))
