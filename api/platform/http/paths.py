"""Refuse paths with control characters: nothing of ours has such a name, and PostgreSQL rejects NUL."""

from __future__ import annotations

import json
import re

from starlette.types import ASGIApp, Receive, Scope, Send

from api.platform.http.errors import NotFound

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class PlainPaths:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _CONTROL.search(scope["path"]):
            await self.app(scope, receive, send)
            return
        body = json.dumps(NotFound().body()).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": NotFound.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body})
