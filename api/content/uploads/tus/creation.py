"""POST: creates an upload, plain, partial, or final, which concatenates partial ones."""

from __future__ import annotations

import secrets
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from api.content.uploads.tus import checksum, concatenation
from api.content.uploads.tus import headers as tus_headers
from api.content.uploads.tus.append import append
from api.content.uploads.tus.context import TusContext, live
from api.content.uploads.tus.errors import TusError, locked, no_room, too_large
from api.content.uploads.tus.finish import finish
from api.content.uploads.tus.records import TokenSpent, TooManyParts, TusRecord
from api.content.uploads.tus.recovery import finish_held
from cluster.wording.message import Message

ID_BYTES = 20


async def create(tus: TusContext, request: Request, _upload_id: str) -> Response:
    owner = await tus.authenticator.creator(request)
    concat = concatenation.from_headers(request.headers)
    metadata = request.headers.get("Upload-Metadata", "")
    tus_headers.parse_metadata(metadata)
    wanted = TusRecord(
        id=secrets.token_hex(ID_BYTES),
        owner=owner,
        length=None,
        offset=0,
        metadata=metadata,
        concat=concat,
        expires_at=tus.now() + tus.rules.expires_after,
    )
    if wanted.is_final:
        record = await _create_final(tus, request, wanted)
        return _created(tus, request, record, offset=record.offset)
    record, offset = await _create_plain(tus, request, wanted)
    return _created(tus, request, record, offset=offset)


async def _create_plain(tus: TusContext, request: Request, wanted: TusRecord) -> tuple[TusRecord, int | None]:
    length = tus_headers.declared_length(request.headers)
    content_length = tus_headers.number(request.headers, "Content-Length")
    has_body = tus_headers.is_upload_body(request.headers)
    if content_length and not has_body:
        raise TusError(
            415,
            Message(
                "uploads.creation.content_type",
                "Send the bytes with the Content-Type {type}.",
                type=tus_headers.CONTENT_TYPE,
            ),
        )
    declared = checksum.from_headers(request.headers)
    await _require_room(tus, length)
    wanted = replace(wanted, length=length)
    record = await _keep(tus, wanted)
    if record.id != wanted.id:
        # The client repeats a creation because it never got the first answer. Return the offset of that upload.
        return record, record.offset
    if not has_body and length != 0:
        return record, None
    async with tus.locks.hold(record.id) as lock:
        if lock is None:
            raise locked()
        if has_body:
            record = await append(tus, lock, record, request, content_length=content_length, checksum=declared)
        if record.is_whole and not record.is_partial:
            await finish(tus, record)
    return record, record.offset


async def _create_final(tus: TusContext, request: Request, wanted: TusRecord) -> TusRecord:
    """Concatenate before the answer, so that a final upload is complete once it exists."""
    if "Upload-Length" in request.headers or "Upload-Defer-Length" in request.headers:
        raise TusError(
            400,
            Message("uploads.parts.length_given", "The parts say how long the whole is. Leave Upload-Length out."),
        )
    if tus_headers.is_upload_body(request.headers) and tus_headers.number(request.headers, "Content-Length"):
        raise TusError(403, Message("uploads.parts.body_given", "An upload made of parts takes no bytes of its own."))
    record = await tus.records.repeated(wanted)
    if record is None:
        parts = await concatenation.whole_parts(tus, wanted.owner, wanted.concat or "")
        length = sum(part.offset for part in parts)
        await _require_room(tus, length)
        record = await _keep(tus, replace(wanted, length=length))
    async with tus.locks.hold(record.id, wait_s=tus.rules.wait_s) as lock:
        if lock is None:
            raise locked()
        await finish_held(tus, live(await tus.records.get(record.id)))
    return live(await tus.records.get(record.id))


async def _require_room(tus: TusContext, length: int | None) -> None:
    if length is None:
        return
    if length > tus.rules.max_size:
        raise too_large(tus.rules.max_size)
    free = await tus.threads.run(tus.store.free_bytes)
    if free is not None and length > free:
        raise no_room()


async def _keep(tus: TusContext, wanted: TusRecord) -> TusRecord:
    try:
        return await tus.records.create(wanted)
    except TokenSpent:
        raise TusError(
            403,
            Message("uploads.creation.token_used", "This upload token was used already. Ask for a new one."),
        ) from None
    except TooManyParts:
        raise TusError(
            403,
            Message(
                "uploads.creation.too_many_parts",
                "An upload can be made of {count} parts at most.",
                count=concatenation.MAX_PARTS,
            ),
        ) from None


def _created(tus: TusContext, request: Request, record: TusRecord, *, offset: int | None) -> Response:
    address = tus.rules.address or request.scope.get("root_path", "")
    location = f"{address.rstrip('/')}/{record.id}"
    answer = {"Location": location, "Upload-Expires": tus_headers.expires(record.expires_at)}
    if offset is not None:
        answer["Upload-Offset"] = str(offset)
    return Response(status_code=201, headers=answer)
