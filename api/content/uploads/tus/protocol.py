"""The methods of tus 1.0.0: what each one checks, in which order, and its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response

from api.content.uploads.tus import checksum, concatenation
from api.content.uploads.tus import headers as tus_headers
from api.content.uploads.tus.append import append
from api.content.uploads.tus.context import TusContext, live
from api.content.uploads.tus.creation import create
from api.content.uploads.tus.errors import TusError, gone, locked, not_found, too_large, wrong_offset
from api.content.uploads.tus.finish import finish
from api.content.uploads.tus.headers import EXTENSIONS, VERSION
from api.content.uploads.tus.locks import UploadLock
from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.recovery import finish_held
from cluster.wording.message import Message

IS_FILE = Message("uploads.is_file", "This upload is complete and has become a file. Delete the file instead.")

Handler = Callable[[TusContext, Request, str], Awaitable[Response]]


async def options(tus: TusContext, _request: Request, _upload_id: str) -> Response:
    return Response(
        status_code=204,
        headers={
            "Tus-Version": VERSION,
            "Tus-Extension": ",".join(EXTENSIONS),
            "Tus-Max-Size": str(tus.rules.max_size),
            "Tus-Checksum-Algorithm": ",".join(checksum.ALGORITHMS),
        },
    )


async def head(tus: TusContext, request: Request, upload_id: str) -> Response:
    """The offset of the upload.

    A HEAD means that the client is about to resume. It interrupts any writer, so that the offset stays valid.
    """
    record = await _authorised(tus, request, upload_id)
    if not record.completed:
        async with _hold(tus, upload_id) as lock:
            record = live(await tus.records.get(upload_id))
            if lock is not None:
                await finish_held(tus, record)
                record = live(await tus.records.get(upload_id)) if record.is_final else record
    answer = {"Cache-Control": "no-store", "Upload-Expires": tus_headers.expires(record.expires_at)}
    if not record.is_final or record.is_whole:
        answer["Upload-Offset"] = str(record.offset)
    answer |= {"Upload-Defer-Length": "1"} if record.length is None else {"Upload-Length": str(record.length)}
    if record.metadata:
        answer["Upload-Metadata"] = record.metadata
    if record.concat is not None:
        answer[concatenation.HEADER] = record.concat
    return Response(status_code=200, headers=answer)


async def patch(tus: TusContext, request: Request, upload_id: str) -> Response:
    record = await _authorised(tus, request, upload_id)
    expires = tus_headers.expires(tus.now() + tus.rules.expires_after)
    try:
        offset = await _patch(tus, request, record)
    except TusError as error:
        error.headers.setdefault("Upload-Expires", expires)
        raise
    return Response(status_code=204, headers={"Upload-Offset": str(offset), "Upload-Expires": expires})


async def _patch(tus: TusContext, request: Request, record: TusRecord) -> int:
    if record.is_final:
        raise TusError(
            403,
            Message(
                "uploads.append.from_parts",
                "This upload was put together from parts and takes no bytes of its own.",
            ),
        )
    if not tus_headers.is_upload_body(request.headers):
        raise TusError(
            415,
            Message(
                "uploads.append.content_type",
                "Send the bytes with the Content-Type {type}.",
                type=tus_headers.CONTENT_TYPE,
            ),
        )
    offset = tus_headers.required_number(request.headers, "Upload-Offset")
    content_length = tus_headers.number(request.headers, "Content-Length")
    declared = checksum.from_headers(request.headers)
    async with _hold(tus, record.id) as lock:
        if lock is None:
            raise locked()
        # Read again: another request may have completed or ended the upload before we got the lock.
        record = live(await tus.records.get(record.id))
        if offset != record.offset:
            raise wrong_offset(record.offset)
        record = await _with_length(tus, record, request.headers)
        if not record.is_whole:
            record = await append(tus, lock, record, request, content_length=content_length, checksum=declared)
        elif content_length:
            raise too_large(0)
        if record.is_whole and not record.is_over and not record.is_partial:
            await finish(tus, record)
    return record.offset


async def _with_length(tus: TusContext, record: TusRecord, headers: Headers) -> TusRecord:
    """The record, with the length from this request if it was deferred."""
    length = tus_headers.number(headers, "Upload-Length")
    if length is None or length == record.length:
        return record
    if record.length is not None:
        raise TusError(
            400,
            Message(
                "uploads.append.length_fixed",
                "The length of this upload is {length} bytes and cannot change.",
                length=record.length,
            ),
        )
    if length < record.offset:
        raise TusError(
            400,
            Message(
                "uploads.append.length_too_short",
                "{offset} bytes have arrived already, so the length cannot be {length}.",
                offset=record.offset,
                length=length,
            ),
        )
    if length > tus.rules.max_size:
        raise too_large(tus.rules.max_size)
    await tus.records.set_length(record.id, length)
    return replace(record, length=length)


async def delete(tus: TusContext, request: Request, upload_id: str) -> Response:
    """End the upload and remove its bytes.

    A repeat succeeds, as HTTP expects of DELETE: a page also reports the end of an upload that a person removes, and
    either call may arrive first.
    """
    record = await _checked(tus, request, upload_id)
    if record.completed:
        raise TusError(403, IS_FILE)
    if not record.terminated and record.expires_at < tus.now():
        raise gone()
    async with _hold(tus, upload_id) as lock:
        if lock is None:
            raise locked()
        if not await tus.records.terminate(upload_id) and not await _has_ended(tus, upload_id):
            raise TusError(403, IS_FILE)
        await tus.threads.run(partial(tus.store.discard, record))
    return Response(status_code=204)


async def _has_ended(tus: TusContext, upload_id: str) -> bool:
    """Whether it is over without having become a file."""
    record = await tus.records.get(upload_id)
    return record is None or record.terminated


def _hold(tus: TusContext, upload_id: str) -> AbstractAsyncContextManager[UploadLock | None]:
    return tus.locks.hold(upload_id, wait_s=tus.rules.wait_s)


async def _checked(tus: TusContext, request: Request, upload_id: str) -> TusRecord:
    """The record of an upload that the caller may use, also when it is over."""
    record = await tus.records.get(upload_id)
    await tus.authenticator.check(request, record)
    if record is None:
        raise not_found()
    return record


async def _authorised(tus: TusContext, request: Request, upload_id: str) -> TusRecord:
    record = live(await _checked(tus, request, upload_id))
    if record.expires_at < tus.now() and not record.completed:
        raise gone()
    return record


FOR_COLLECTION: dict[str, Handler] = {"OPTIONS": options, "POST": create}
FOR_UPLOAD: dict[str, Handler] = {"OPTIONS": options, "HEAD": head, "PATCH": patch, "DELETE": delete}
