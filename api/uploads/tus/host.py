"""The parts one upload host works with, and the two things done with an upload's bytes: take them in, finish them."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from functools import partial

import structlog
from starlette.types import Receive

from api.uploads.tus.auth import Authenticator
from api.uploads.tus.digests import Digests
from api.uploads.tus.errors import DiskFull, TusError, disk_full, gone, not_found, too_large, wrong_offset
from api.uploads.tus.inflow import Ending, Inflow, receive_body
from api.uploads.tus.locks import UploadLock
from api.uploads.tus.records import Completion, Records, TusRecord
from api.uploads.tus.rules import TusRules
from api.uploads.tus.store import UploadStore

log = structlog.get_logger(__name__)


class ClientGone(Exception):
    """There is nobody left to answer."""


@dataclass(frozen=True)
class TusHost:
    records: Records
    authenticator: Authenticator
    complete: Completion
    store: UploadStore
    rules: TusRules
    digests: Digests = field(default_factory=Digests)


def live(record: TusRecord | None) -> TusRecord:
    """The record, when it can still be used. 404 when there is none, 410 when it is over."""
    if record is None:
        raise not_found()
    if record.terminated:
        raise gone()
    return record


async def append(
    host: TusHost, lock: UploadLock, record: TusRecord, receive: Receive, *, content_length: int | None
) -> int:
    """Add a body at the record's offset; the new offset. Bytes that arrived stay, however the request ends."""
    limit = host.rules.max_size if record.length is None else record.length
    if content_length is not None and record.offset + content_length > limit:
        raise too_large(limit - record.offset)
    with host.store.open(record.id) as file:
        if file.size < record.offset:
            # The disk lost bytes we promised: say where the upload really stands instead of leaving a hole.
            log.error("upload.bytes_missing", upload_id=record.id, recorded=record.offset, found=file.size)
            await host.records.set_offset(record.id, file.size)
            raise wrong_offset(file.size)
        inflow = Inflow(
            host.store,
            file,
            offset=record.offset,
            digest=host.digests.take(record.id, record.offset),
            save_offset=partial(host.records.set_offset, record.id),
        )
        try:
            await _take_in(receive, inflow, limit=limit, lock=lock)
            if inflow.durable == record.length:
                await host.store.in_thread(partial(file.finish, record.length))
                await host.store.in_thread(host.store.sync_folder)
        except TusError as error:
            if error.status == 410:
                host.store.discard(record.id)
            raise
        finally:
            await inflow.close()
            if inflow.digest is not None and inflow.written == inflow.durable:
                host.digests.keep(record.id, inflow.durable, inflow.digest)
    return inflow.durable


async def _take_in(receive: Receive, inflow: Inflow, *, limit: int, lock: UploadLock) -> None:
    try:
        ending = await receive_body(receive, inflow, limit=limit, lock=lock)
        if ending is Ending.TOO_LONG:
            await inflow.undo()
            raise too_large(limit - inflow.start)
        await inflow.settle()
    except DiskFull:
        with contextlib.suppress(DiskFull):
            await inflow.save()
        raise disk_full() from None
    except asyncio.CancelledError:
        # The process is being stopped: keep what arrived.
        await inflow.settle()
        raise
    if ending is Ending.CUT:
        raise ClientGone
    if ending is Ending.SILENT:
        raise TusError(503, "Nothing arrived for a while. What did arrive is kept; send on from there.")


async def finish(host: TusHost, record: TusRecord) -> None:
    """Complete a whole upload, whose lock is held. Safe to repeat: also after a crash at any point before."""
    digest = host.digests.take(record.id, record.offset)
    await host.complete(record, digest.hexdigest() if digest is not None else None)
    host.store.discard(record.id)
    log.info("upload.completed", upload_id=record.id, bytes=record.offset)


async def finish_if_interrupted(host: TusHost, record: TusRecord) -> None:
    """Complete an upload whose last byte was kept by a process that died before it could say so."""
    if not record.is_whole or record.completed or record.terminated:
        return
    with host.store.locks.free(record.id) as lock:
        if lock is None:
            return
        again = await host.records.get(record.id)
        if again is not None and again.is_whole and not again.completed and not again.terminated:
            await finish(host, again)
