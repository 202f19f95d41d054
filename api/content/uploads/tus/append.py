"""Adds the body of a request to an upload."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from functools import partial

import structlog
from starlette.requests import Request

from api.content.uploads.tus.body import Ending, receive_body
from api.content.uploads.tus.checksum import Checksum, mismatch
from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.errors import DiskFull, TusError, disk_full, gone, interrupted, too_large, wrong_offset
from api.content.uploads.tus.inflow import Inflow, Overtaken
from api.content.uploads.tus.locks import UploadLock
from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.store import BytesMissing, UploadWriter
from cluster.wording.message import Message

log = structlog.get_logger(__name__)


class ClientGone(Exception):
    """The client closed the connection, so there is nothing to answer."""


async def append(
    tus: TusContext,
    lock: UploadLock,
    record: TusRecord,
    request: Request,
    *,
    content_length: int | None,
    checksum: Checksum | None,
) -> TusRecord:
    """Add a body at the record's offset and return the new record.

    Bytes that arrived are kept however the request ends, unless a checksum covers them: then all or none are kept.
    """
    limit = tus.rules.max_size if record.length is None else record.length
    if content_length is not None and record.offset + content_length > limit:
        raise too_large(limit - record.offset)
    writer = await _open(tus, record)
    inflow = Inflow(
        tus.threads,
        writer,
        partial(tus.records.set_offset, record.id),
        state=record.state,
        digest=checksum.digest if checksum is not None else None,
    )
    try:
        await _take_in(request, inflow, limit=limit, lock=lock, checksum=checksum)
    except Overtaken:
        raise await _overtaken(tus, record.id) from None
    finally:
        inflow.close()
    return replace(record, offset=inflow.durable, state=inflow.state)


async def _open(tus: TusContext, record: TusRecord) -> UploadWriter:
    try:
        return await tus.threads.run(partial(tus.store.open, record))
    except DiskFull:
        raise disk_full() from None
    except BytesMissing as error:
        # The store lost bytes that we acknowledged. Report the true offset instead of leaving a hole.
        log.error("upload.bytes_missing", upload_id=record.id, recorded=record.offset, found=error.found)
        await tus.records.set_offset(record.id, error.found, error.state, known=record.offset)
        raise wrong_offset(error.found) from None


async def _take_in(
    request: Request, inflow: Inflow, *, limit: int, lock: UploadLock, checksum: Checksum | None
) -> None:
    try:
        ending = await receive_body(request.receive, inflow, limit=limit, lock=lock)
        if ending is Ending.TOO_LONG:
            await inflow.undo()
            raise too_large(limit - inflow.start)
        if checksum is None:
            await inflow.settle()
        elif ending is Ending.WHOLE:
            if not checksum.matches:
                await inflow.undo()
                raise mismatch()
            await inflow.save()
    except DiskFull:
        with contextlib.suppress(DiskFull):
            await inflow.settle()
        raise disk_full() from None
    except asyncio.CancelledError:
        # The process is stopping: keep what has arrived.
        await inflow.settle()
        raise
    if ending is Ending.CUT:
        raise ClientGone
    if ending is Ending.INTERRUPTED:
        raise interrupted()
    if ending is Ending.SILENT:
        raise TusError(
            503,
            Message(
                "uploads.append.stalled",
                "Nothing arrived for a while. What did arrive is kept; send on from there.",
            ),
        )


async def _overtaken(tus: TusContext, upload_id: str) -> TusError:
    record = await tus.records.get(upload_id)
    if record is None or record.is_over:
        if record is not None:
            await tus.threads.run(partial(tus.store.discard, record))
        return gone()
    return wrong_offset(record.offset)
