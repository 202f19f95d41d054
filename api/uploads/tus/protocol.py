"""tus 1.0.0, request by request: what each method checks, in which order, and what it answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from api.db.base import utc_now
from api.uploads.tus import headers as tus_headers
from api.uploads.tus.errors import TusError, disk_full, gone, too_large, wrong_offset
from api.uploads.tus.headers import EXTENSIONS, VERSION
from api.uploads.tus.host import TusHost, append, finish, finish_if_interrupted, live
from api.uploads.tus.records import TokenSpent, TusRecord
from api.uploads.tus.store import discard_if_free

ID_BYTES = 20

Handler = Callable[[TusHost, Request, str], Awaitable[Response]]


async def options(host: TusHost, _request: Request, _upload_id: str) -> Response:
    return Response(
        status_code=204,
        headers={
            "Tus-Version": VERSION,
            "Tus-Extension": ",".join(EXTENSIONS),
            "Tus-Max-Size": str(host.rules.max_size),
        },
    )


async def create(host: TusHost, request: Request, _upload_id: str) -> Response:
    owner = await host.authenticator.creator(request)
    length = tus_headers.declared_length(request.headers)
    if length is not None and length > host.rules.max_size:
        raise too_large(host.rules.max_size)
    metadata = request.headers.get("Upload-Metadata", "")
    tus_headers.parse_metadata(metadata)
    if length is not None and length > await asyncio.to_thread(host.store.free_bytes):
        raise disk_full()
    wanted = TusRecord(
        id=secrets.token_hex(ID_BYTES),
        owner=owner,
        length=length,
        offset=0,
        metadata=metadata,
        expires_at=utc_now() + host.rules.expires_after,
    )
    try:
        record = await host.records.create(wanted)
    except TokenSpent:
        raise TusError(403, "This upload token was used already. Ask for a new one.") from None
    location = f"{request.scope.get('root_path', '').rstrip('/')}/{record.id}"
    answer = {"Location": location, "Upload-Expires": tus_headers.expires(record.expires_at)}
    if record.id == wanted.id:
        await host.store.in_thread(lambda: host.store.create(record.id))
        offset = await _first_bytes(host, request, record)
    else:
        # The repeated creation of a client that never got the first answer: it learns where its upload stands.
        offset = record.offset
    if offset is not None:
        answer["Upload-Offset"] = str(offset)
    return Response(status_code=201, headers=answer)


async def _first_bytes(host: TusHost, request: Request, record: TusRecord) -> int | None:
    """Bytes that came with the creation, and the end of an upload of zero bytes. None when no body was announced."""
    has_body = tus_headers.is_upload_body(request.headers)
    if not has_body and record.length != 0:
        return None
    with host.store.locks.take(record.id) as lock:
        offset = 0
        if has_body:
            offset = await append(host, lock, record, request.receive, content_length=_content_length(request.headers))
        if offset == record.length:
            await finish(host, replace(record, offset=offset))
    return offset


async def head(host: TusHost, request: Request, upload_id: str) -> Response:
    record = await _authorised(host, request, upload_id)
    await finish_if_interrupted(host, record)
    answer = {
        "Upload-Offset": str(record.offset),
        "Cache-Control": "no-store",
        "Upload-Expires": tus_headers.expires(record.expires_at),
    }
    answer |= {"Upload-Defer-Length": "1"} if record.length is None else {"Upload-Length": str(record.length)}
    if record.metadata:
        answer["Upload-Metadata"] = record.metadata
    return Response(status_code=200, headers=answer)


async def patch(host: TusHost, request: Request, upload_id: str) -> Response:
    await _authorised(host, request, upload_id)
    if not tus_headers.is_upload_body(request.headers):
        raise TusError(415, f"Send the bytes with the Content-Type {tus_headers.CONTENT_TYPE}.")
    offset = tus_headers.required_number(request.headers, "Upload-Offset")
    content_length = _content_length(request.headers)
    with host.store.locks.take(upload_id) as lock:
        # Read again: another writer may have finished or ended the upload before the lock was ours.
        record = live(await host.records.get(upload_id))
        if offset != record.offset:
            raise wrong_offset(record.offset)
        record = await _with_length(host, record, request.headers)
        if record.is_whole:
            if content_length:
                raise too_large(0)
        else:
            offset = await append(host, lock, record, request.receive, content_length=content_length)
        if offset == record.length and not record.completed:
            await finish(host, replace(record, offset=offset))
    expires = utc_now() + host.rules.expires_after
    return Response(
        status_code=204, headers={"Upload-Offset": str(offset), "Upload-Expires": tus_headers.expires(expires)}
    )


async def _with_length(host: TusHost, record: TusRecord, headers: Headers) -> TusRecord:
    """The record with the length a later request declares, when it was deferred."""
    length = tus_headers.number(headers, "Upload-Length")
    if length is None or length == record.length:
        return record
    if record.length is not None:
        raise TusError(400, f"The length of this upload is {record.length} bytes and cannot change.")
    if length < record.offset:
        raise TusError(400, f"{record.offset} bytes have arrived already, so the length cannot be {length}.")
    if length > host.rules.max_size:
        raise too_large(host.rules.max_size)
    await host.records.set_length(record.id, length)
    return replace(record, length=length)


async def delete(host: TusHost, request: Request, upload_id: str) -> Response:
    record = await _authorised(host, request, upload_id)
    if record.completed:
        raise TusError(403, "This upload is complete and has become a file. Delete the file instead.")
    if not await host.records.terminate(upload_id):
        raise gone()
    discard_if_free(host.store, upload_id)
    return Response(status_code=204)


async def _authorised(host: TusHost, request: Request, upload_id: str) -> TusRecord:
    record = await host.records.get(upload_id)
    await host.authenticator.check(request, record)
    record = live(record)
    if record.expires_at < utc_now() and not record.completed:
        raise gone()
    return record


def _content_length(headers: Headers) -> int | None:
    return tus_headers.number(headers, "Content-Length")


FOR_COLLECTION: dict[str, Handler] = {"OPTIONS": options, "POST": create}
FOR_UPLOAD: dict[str, Handler] = {"OPTIONS": options, "HEAD": head, "PATCH": patch, "DELETE": delete}
