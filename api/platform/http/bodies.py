"""Bounds on request bodies: how large they may be, how slowly they may arrive, and who may send a large one."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable

import structlog
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.platform.http import deadline
from api.platform.http.errors import (
    KNOWN_ERRORS,
    RETRY_LATER,
    ApiError,
    TooLarge,
    TooSlow,
    Unavailable,
    as_api_error,
    render,
)
from api.platform.http.limits import (
    BODY_BYTES_MAX,
    BODY_WINDOW_BYTES,
    BODY_WINDOW_S,
    IMPORT_BYTES_MAX,
    PICTURE_FORM_BYTES_MAX,
)

LARGER = {
    re.compile(r"/api/files/captions/[^/]+"): IMPORT_BYTES_MAX,
    re.compile(r"/api/files/captions/[^/]+/(import|outside-review)"): IMPORT_BYTES_MAX,
    re.compile(r"/api/user/settings"): PICTURE_FORM_BYTES_MAX,
}
"""Paths that accept bodies above `BODY_BYTES_MAX`."""

Admit = Callable[[Request], Awaitable[object]]

log = structlog.get_logger(__name__)


class BoundedBodies:
    """Answer 413 and 408 for the routes below, except those under `own_limits`.

    FastAPI's `max_body_size` bounds the size alone. It would also bound the mounted upload server, and it rejects an
    announced length with text that is not one of our errors, even where the route itself would have answered 401.
    """

    def __init__(self, app: ASGIApp, *, own_limits: tuple[str, ...] = (), admit: Admit | None = None) -> None:
        """`admit` raises an `ApiError` for requests that may not send a body above `BODY_BYTES_MAX`."""
        self.app = app
        self._own_limits = own_limits
        self._admit = admit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(self._own_limits):
            await self.app(scope, receive, send)
            return
        limit = next((size for path, size in LARGER.items() if path.fullmatch(scope["path"])), BODY_BYTES_MAX)
        announced = Headers(scope=scope).get("content-length", "0")
        try:
            if not announced.isdigit() or int(announced) > limit:
                raise TooLarge(limit)
            if limit > BODY_BYTES_MAX and self._admit is not None:
                async with asyncio.timeout(deadline.ANSWER_WITHIN_S):
                    await self._admit(Request(scope))
        except ApiError as error:
            await render(error, scope)(scope, receive, send)
            return
        except TimeoutError:
            await render(Unavailable(headers=RETRY_LATER), scope)(scope, receive, send)
            return
        except KNOWN_ERRORS as error:
            # Starlette's handlers of these stand inside of this middleware.
            await render(as_api_error(error, scope), scope)(scope, receive, send)
            return
        body = _Body(receive, send, limit)
        with contextlib.suppress(_Refused):
            await self.app(scope, body.receive, body.send)
        if body.refusal is not None and not body.is_answered:
            log.info("request.body_refused", path=scope["path"], status=body.refusal.status_code)
            await render(body.refusal, scope)(scope, receive, send)


class _Refused(HTTPException):
    """Stops reading a body. Starlette and FastAPI let this kind of exception through their parsers."""

    def __init__(self, error: ApiError) -> None:
        super().__init__(error.status_code, error.message)


class _Body:
    def __init__(self, receive: Receive, send: Send, limit: int) -> None:
        self.refusal: ApiError | None = None
        self.is_answered = False
        self._receive = receive
        self._send = send
        self._limit = limit
        self._received = 0
        self._is_whole = False
        self._window_end = time.monotonic() + BODY_WINDOW_S
        self._window_bytes = 0

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        while self.refusal is None:
            try:
                async with asyncio.timeout(self._window_end - time.monotonic()):
                    message = await self._receive()
            except TimeoutError:
                message = None
            self._count(message)
            if message is not None and self.refusal is None:
                return message
        if self.is_answered:
            return {"type": "http.disconnect"}
        raise _Refused(self.refusal)

    async def send(self, message: Message) -> None:
        """Pass on the routes' answer, unless the body was refused first."""
        if self.refusal is None or self.is_answered:
            self.is_answered = True
            await self._send(message)

    def _count(self, message: Message | None) -> None:
        if message is not None:
            size = len(message.get("body", b""))
            self._received += size
            self._window_bytes += size
            self._is_whole = not message.get("more_body", False)
        if self._received > self._limit:
            self.refusal = TooLarge(self._limit)
        elif not self._is_whole and time.monotonic() >= self._window_end:
            if self._window_bytes < BODY_WINDOW_BYTES:
                self.refusal = TooSlow(headers={"Connection": "close"})
            self._window_end, self._window_bytes = time.monotonic() + BODY_WINDOW_S, 0
