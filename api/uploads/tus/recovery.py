"""What a process that died left undone, taken up by whoever meets the upload next."""

from __future__ import annotations

from api.uploads.tus import concatenation
from api.uploads.tus.context import TusContext
from api.uploads.tus.finish import finish
from api.uploads.tus.records import TusRecord


def is_unfinished(record: TusRecord) -> bool:
    """Every byte is there, or lies in parts, and no more requests need come: the end alone is missing."""
    return not record.is_over and not record.is_partial and (record.is_whole or record.is_final)


async def finish_held(tus: TusContext, record: TusRecord) -> None:
    """Complete an upload that needs no more bytes. Its lock is held, and the record was read under it."""
    if not is_unfinished(record):
        return
    if record.is_final:
        await concatenation.resume(tus, record)
    else:
        await finish(tus, record)


async def finish_if_free(tus: TusContext, upload_id: str) -> None:
    """The same, unless somebody else is at it."""
    async with tus.locks.hold(upload_id) as lock:
        record = await tus.records.get(upload_id) if lock is not None else None
        if record is not None:
            await finish_held(tus, record)
