"""A stored object as an answer: a local file, a redirect to where it is, or its bytes."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from fastapi.responses import FileResponse, RedirectResponse, Response, StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from api.platform.http.errors import NotFound
from api.platform.http.pages.compression import accepts, gzipped
from cluster.storage.objects import Storage

# Objects are never changed under a key that a browser has seen, but the same URL may serve a newer key later.
CACHE = {"Cache-Control": "private, max-age=0, must-revalidate"}
LASTING = {"Cache-Control": "private, max-age=31536000, immutable"}
"""For objects whose URL changes with them."""
NOT_KEPT = {"Cache-Control": "no-store"}
# Other people's bytes come from our own host. Should a browser ever render them as a page, that page may do nothing.
POWERLESS = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
DOWNLOAD = "application/octet-stream"

OBJECT_RESPONSES: dict[int | str, dict[str, Any]] = {
    206: {"description": "The requested bytes."},
    302: {"description": "Where the object is, for browsers that can reach the bucket."},
    304: {"description": "The browser has it already."},
    416: {"description": "None of the requested bytes exist."},
}
"""What `send_object` answers besides the whole object, for a route's `responses=`."""

# Shown inline; everything else is downloaded.
_SHOWN = re.compile(r"(?:video|audio)/[a-z0-9]+|image/jpeg|application/json")
_FROM_START = re.compile(r"(\d{1,40}) *- *(\d{0,40})")
_FROM_END = re.compile(r"- *\d{1,40}")
_ONE_RANGE = re.compile(r"^bytes=(\d{0,18})-(\d{0,18})$")


class StoredFile(FileResponse):
    """A file of this machine. RFC 9110 (14.2) says to ignore a malformed `Range`; Starlette would answer 400."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        header = Headers(scope=scope).get("range")
        if header is not None and not has_ranges(header):
            scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"range"]}
        await super().__call__(scope, receive, send)


class NoSuchRange(ValueError):
    """None of the requested bytes exist."""


async def send_object(
    request: Request,
    session: AsyncSession,
    storage: Storage,
    key: str | None,
    *,
    media_type: str,
    disposition: str | None = None,
    by_link: bool = False,
    cache: Mapping[str, str] = CACHE,
) -> Response:
    """The object, or the requested range of it. 404 when there is none.

    With `by_link`, browsers that can reach storage are redirected there. `session` is released first: storage may be
    slow.
    """
    await session.close()
    if key is None:
        raise NotFound
    if disposition is None and not _SHOWN.fullmatch(media_type):
        media_type, disposition = DOWNLOAD, "attachment"
    headers = {**cache, **POWERLESS} | ({} if disposition is None else {"Content-Disposition": disposition})
    try:
        path = await asyncio.to_thread(storage.local_path, key)
        if path is not None:
            return StoredFile(path, media_type=media_type, headers=headers)
        size = await asyncio.to_thread(storage.size, key)
        if by_link:
            link = await asyncio.to_thread(storage.link, key, media_type=media_type, disposition=disposition)
            if link is not None:
                return RedirectResponse(link, 302, headers=NOT_KEPT)
        return await asyncio.to_thread(_passed_on, request, storage, key, size, media_type, headers)
    except FileNotFoundError:
        raise NotFound from None


async def send_compressed(
    request: Request, session: AsyncSession, storage: Storage, key: str | None, *, media_type: str
) -> Response:
    """As `send_object`, with gzip where the browser takes it. For objects of a few megabytes: they are read whole."""
    if key is None or "range" in request.headers or not accepts(request, "gzip"):
        return await send_object(request, session, storage, key, media_type=media_type)
    await session.close()
    etag = f'W/"{hashlib.sha256(key.encode()).hexdigest()[:32]}"'
    headers = {**CACHE, **POWERLESS, "ETag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)

    def answer() -> Response:
        return gzipped(b"".join(storage.read(key)), media_type, headers)

    try:
        return await asyncio.to_thread(answer)
    except FileNotFoundError:
        raise NotFound from None


def _passed_on(
    request: Request, storage: Storage, key: str, size: int, media_type: str, headers: dict[str, str]
) -> Response:
    etag = f'"{hashlib.sha256(f"{key} {size}".encode()).hexdigest()[:32]}"'
    headers = headers | {"Accept-Ranges": "bytes", "ETag": etag}
    if etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    wanted = request.headers.get("range") if request.headers.get("if-range", etag) == etag else None
    try:
        part = byte_range(wanted, size)
    except NoSuchRange:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
    start, stop = part or (0, size)
    headers |= {"Content-Length": str(stop - start)}
    if part is not None:
        headers |= {"Content-Range": f"bytes {start}-{stop - 1}/{size}"}
    body = storage.read(key, start, stop) if stop > start else iter(())
    return StreamingResponse(body, 206 if part is not None else 200, headers, media_type)


def has_ranges(header: str) -> bool:
    """Whether a `Range` header is well-formed: byte ranges, each ascending or counted from the end."""
    unit, _, ranges = header.partition("=")
    return unit.strip().lower() == "bytes" and all(_is_range(part.strip()) for part in ranges.split(","))


def _is_range(text: str) -> bool:
    match = _FROM_START.fullmatch(text)
    if match is None:
        return _FROM_END.fullmatch(text) is not None
    first, last = match.groups()
    return not last or int(first) <= int(last)


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """Start and stop of the one range in a `Range` header. None means the whole object, also for any other header.

    Raises `NoSuchRange`.
    """
    match = _ONE_RANGE.match(header.replace(" ", "")) if header is not None else None
    if match is None or not any(match.groups()):
        return None
    first, last = match.groups()
    if not first:
        start, stop = max(0, size - int(last)), size
    else:
        start, stop = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < int(first):
            return None
    if start >= stop:
        raise NoSuchRange
    return start, stop
