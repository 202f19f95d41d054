"""The concatenation extension: a final upload made of partial uploads that were sent in parallel."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers

from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.errors import DiskFull, TusError, disk_full, gone, not_found, too_large
from api.content.uploads.tus.finish import finish
from api.content.uploads.tus.records import PARTIAL, Owner, TusRecord
from cluster.wording.message import Message

log = structlog.get_logger(__name__)

HEADER = "Upload-Concat"
FINAL = "final;"
MAX_PARTS = 100
"""The most parts of a final upload, and of one token. Clients send 2 to 10 in parallel."""


def from_headers(headers: Headers) -> str | None:
    """`partial`, or `final;` with the addresses of the parts as sent. None without it, 400 for anything else."""
    text = headers.get(HEADER)
    if text is None:
        return None
    text = text.strip()
    if text != PARTIAL and not _names_parts(text):
        raise TusError(
            400,
            Message(
                "uploads.parts.bad_header",
                "The header {header} must be {partial}, or {final} followed by the addresses of the parts.",
                header=HEADER,
                partial=PARTIAL,
                final=FINAL,
            ),
        )
    return text


def _names_parts(text: str) -> bool:
    try:
        return text.startswith(FINAL) and bool(part_ids(text))
    except ValueError:
        # An address such as http://[::1 is incomplete.
        return False


def part_ids(concat: str) -> list[str]:
    """The ids at the ends of the addresses, which may be absolute or relative. Nothing is fetched."""
    return [urlsplit(address).path.rstrip("/").rpartition("/")[2] for address in concat.removeprefix(FINAL).split()]


async def whole_parts(tus: TusContext, owner: Owner, concat: str) -> list[TusRecord]:
    """The parts that a final upload names, all of them the owner's, partial and complete. Raises 404, 400 or 413."""
    ids = part_ids(concat)
    if len(ids) > MAX_PARTS:
        raise TusError(
            400,
            Message("uploads.parts.too_many", "An upload can be made of {count} parts at most.", count=MAX_PARTS),
        )
    parts: list[TusRecord] = []
    for upload_id in ids:
        part = await tus.records.get(upload_id) if re.fullmatch(r"[0-9a-f]+", upload_id) else None
        if part is None or part.owner.user_id != owner.user_id or part.terminated:
            raise not_found()
        if part.expires_at < tus.now():
            raise gone()
        if not part.is_partial:
            raise TusError(400, Message("uploads.parts.not_partial", "Only partial uploads can be put together."))
        if not part.is_whole:
            raise TusError(
                400,
                Message(
                    "uploads.parts.incomplete",
                    "One of the parts is not complete yet. Send the rest of it first.",
                ),
            )
        parts.append(part)
    if sum(part.offset for part in parts) > tus.rules.max_size:
        raise too_large(tus.rules.max_size)
    return parts


async def put_together(tus: TusContext, record: TusRecord, parts: Sequence[TusRecord]) -> None:
    """Fill a final upload from its parts and finish it, with its lock held. Safe to repeat after a crash."""
    if not record.is_whole or record.offset == 0:
        try:
            state = await tus.threads.run(partial(tus.store.concatenate, record, parts))
        except DiskFull:
            raise disk_full() from None
        offset = sum(part.offset for part in parts)
        if not await tus.records.set_offset(record.id, offset, state, known=record.offset):
            raise not_found()
        record = replace(record, offset=offset, state=state)
    await finish(tus, record)
    for part in parts:
        if await tus.records.terminate(part.id):
            await tus.threads.run(partial(tus.store.discard, part))
    log.info("upload.concatenated", upload_id=record.id, parts=len(parts), bytes=record.offset)


async def resume(tus: TusContext, record: TusRecord) -> None:
    """Continue a final upload whose process died, with its lock held."""
    assert record.concat is not None
    found = await asyncio.gather(*(tus.records.get(upload_id) for upload_id in part_ids(record.concat)))
    parts = [part for part in found if part is not None and not part.terminated]
    if record.is_whole or sum(part.offset for part in parts) == record.length:
        await put_together(tus, record, parts)
    else:
        # The parts expired first. Completing an upload without all its bytes reports them as lost.
        await tus.complete(record)
