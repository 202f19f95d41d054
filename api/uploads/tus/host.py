"""The parts one upload host works with, and the two things done with an upload's bytes: take them in, finish them."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from functools import partial

import structlog
from starlette.requests import Request

from api.uploads.tus.auth import Authenticator
from api.uploads.tus.body import Ending, receive_body
from api.uploads.tus.checksum import Checksum, mismatch
from api.uploads.tus.errors import DiskFull, TusError, disk_full, gone, interrupted, not_found, too_large, wrong_offset
from api.uploads.tus.inflow import Inflow, Overtaken
from api.uploads.tus.locks import UploadLock, UploadLocks
from api.uploads.tus.records import Completion, Records, TusRecord
from api.uploads.tus.rules import TusRules
from api.uploads.tus.store import BytesMissing, UploadStore, UploadWriter
from api.uploads.tus.threads import Threads

log = structlog.get_logger(__name__)


class ClientGone(Exception):
    """There is nobody left to answer."""


@dataclass(frozen=True)
class TusHost:
    records: Records
    authenticator: Authenticator
    complete: Completion
    store: UploadStore
    locks: UploadLocks
    rules: TusRules
    threads: Threads = field(default_factory=Threads)


def live(record: TusRecord | None) -> TusRecord:
    """The record, when it can still be used. 404 when there is none, 410 when it is over."""
    if record is None:
        raise not_found()
    if record.terminated:
        raise gone()
    return record


async def append(
    host: TusHost,
    lock: UploadLock,
    record: TusRecord,
    request: Request,
    *,
    content_length: int | None,
    checksum: Checksum | None,
) -> TusRecord:
    """Add a body at the record's offset; the record as it is then. Bytes that arrived stay, however the request ends,
    unless a checksum says that they are to be kept whole or not at all.
    """
    limit = host.rules.max_size if record.length is None else record.length
    if content_length is not None and record.offset + content_length > limit:
        raise too_large(limit - record.offset)
    writer = await _open(host, record)
    inflow = Inflow(
        host.threads,
        writer,
        partial(host.records.set_offset, record.id),
        state=record.state,
        digest=checksum.digest if checksum is not None else None,
    )
    try:
        await _take_in(request, inflow, limit=limit, lock=lock, checksum=checksum)
    except Overtaken:
        raise await _overtaken(host, record.id) from None
    finally:
        inflow.close()
    return replace(record, offset=inflow.durable, state=inflow.state)


async def _open(host: TusHost, record: TusRecord) -> UploadWriter:
    try:
        return await host.threads.run(partial(host.store.open, record))
    except DiskFull:
        raise disk_full() from None
    except BytesMissing as error:
        # The store lost bytes we promised: say where the upload really stands instead of leaving a hole.
        log.error("upload.bytes_missing", upload_id=record.id, recorded=record.offset, found=error.found)
        await host.records.set_offset(record.id, error.found, error.state, known=record.offset)
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
        # The process is being stopped: keep what arrived.
        await inflow.settle()
        raise
    if ending is Ending.CUT:
        raise ClientGone
    if ending is Ending.INTERRUPTED:
        raise interrupted()
    if ending is Ending.SILENT:
        raise TusError(503, "Nothing arrived for a while. What did arrive is kept; send on from there.")


async def _overtaken(host: TusHost, upload_id: str) -> TusError:
    record = await host.records.get(upload_id)
    if record is None or record.is_over:
        if record is not None:
            await host.threads.run(partial(host.store.discard, record))
        return gone()
    return wrong_offset(record.offset)


async def finish(host: TusHost, record: TusRecord) -> None:
    """Complete a whole upload, whose lock is held. Safe to repeat: also after a crash at any point before."""
    await host.complete(record)
    await host.threads.run(partial(host.store.discard, record))
    log.info("upload.completed", upload_id=record.id, bytes=record.offset)


async def discard_if_free(host: TusHost, upload_id: str) -> None:
    """Remove the bytes of an upload that is over, now; when somebody is writing it, they find out and do it."""
    async with host.locks.hold(upload_id) as lock:
        record = await host.records.get(upload_id) if lock is not None else None
        if record is not None:
            await host.threads.run(partial(host.store.discard, record))
