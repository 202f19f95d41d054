"""An id for each request: taken from `X-Request-Id` if it is well-formed, answered, and on every log line."""

from __future__ import annotations

import re
import uuid

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cluster.logs.context import REQUEST_ID, log_context

HEADER = b"x-request-id"
_WELL_FORMED = re.compile(rb"^[A-Za-z0-9._-]{8,64}$")
PERSON = ("user_id", "admin_id")
"""What the sign-in adds to the log lines of a request."""


class RequestIds:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == HEADER), b"")
        request_id = given if _WELL_FORMED.match(given) else uuid.uuid4().hex.encode()

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), (HEADER, request_id)]}
            await send(message)

        with log_context(**{REQUEST_ID: request_id.decode()}):
            try:
                await self.app(scope, receive, send_with_id)
            finally:
                structlog.contextvars.unbind_contextvars(*PERSON)
