"""Finishes what a process left undone when it died. The next request for the upload runs it."""

from __future__ import annotations

from api.content.uploads.tus import concatenation
from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.finish import finish
from api.content.uploads.tus.records import TusRecord


def is_unfinished(record: TusRecord) -> bool:
    """Whether all bytes are here, in one piece or in parts, and only the completion is missing."""
    return not record.is_over and not record.is_partial and (record.is_whole or record.is_final)


async def finish_held(tus: TusContext, record: TusRecord) -> None:
    """Complete an upload that needs no more bytes. Call it with the lock held and the record read under it."""
    if not is_unfinished(record):
        return
    if record.is_final:
        await concatenation.resume(tus, record)
    else:
        await finish(tus, record)


async def finish_if_free(tus: TusContext, upload_id: str) -> None:
    """The same, unless another request holds the lock."""
    async with tus.locks.hold(upload_id) as lock:
        record = await tus.records.get(upload_id) if lock is not None else None
        if record is not None:
            await finish_held(tus, record)
