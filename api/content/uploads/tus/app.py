"""The tus protocol as an ASGI application, for any mount point."""

from __future__ import annotations

import asyncio
import json
import re

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from api.content.uploads.tus.append import ClientGone
from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.cors import cors_headers
from api.content.uploads.tus.creation import ID_BYTES
from api.content.uploads.tus.errors import DiskFull, TusError, disk_full, not_found
from api.content.uploads.tus.headers import VERSION, check_version
from api.content.uploads.tus.protocol import FOR_COLLECTION, FOR_UPLOAD
from api.platform.http.pages.language import in_page_language
from cluster.wording.message import Message

log = structlog.get_logger(__name__)

_ID = re.compile(rf"^[0-9a-f]{{{ID_BYTES * 2}}}$")
BUSY = Message("uploads.busy", "The upload service is busy or restarting. Nothing was lost; try again in a moment.")


class TusApp:
    """Errors of the kinds in `unavailable`, such as a database that is down, become a 503."""

    def __init__(self, context: TusContext, *, unavailable: tuple[type[Exception], ...] = ()) -> None:
        self._context = context
        self._unavailable = unavailable

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("The tus protocol runs over HTTP only.")
        task = asyncio.current_task()
        assert task is not None
        self._context.running.add(task)
        try:
            await self._serve(task, scope, receive, send)
        finally:
            self._context.running.discard(task)

    async def _serve(self, task: asyncio.Task[object], scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        # Clients behind a proxy that does not support PATCH send POST and name the real method.
        method = headers.get("X-HTTP-Method-Override", scope["method"]).upper()
        scope = {**scope, "method": method}
        try:
            answer = await self._dispatch(Request(scope, receive), method)
        except ClientGone:
            return
        except TusError as error:
            answer = _refusal(error, method)
        except asyncio.CancelledError:
            # The process ends. What had arrived is stored by now, and uvicorn would answer 500.
            task.uncancel()
            answer = _refusal(TusError(503, BUSY, headers={"Retry-After": "1", "Connection": "close"}), method)
        except DiskFull:
            answer = _refusal(disk_full(), method)
        except self._unavailable as error:
            log.error("upload.records_unavailable", error=type(error).__name__)
            answer = _refusal(TusError(503, BUSY, headers={"Retry-After": "1"}), method)
        answer.headers["Tus-Resumable"] = VERSION
        is_preflight = method == "OPTIONS" and "Access-Control-Request-Method" in headers
        own_origins = self._context.rules.own_origins
        answer.headers.update(cors_headers(headers, own_origins=own_origins, is_preflight=is_preflight))
        await answer(scope, receive, send)

    async def _dispatch(self, request: Request, method: str) -> Response:
        upload_id = _path_below_mount(request.scope).strip("/")
        handlers = FOR_UPLOAD if upload_id else FOR_COLLECTION
        if method not in handlers:
            allowed = ", ".join(handlers)
            raise TusError(
                405,
                Message("uploads.use_one_here", "Use one of {allowed} here.", allowed=allowed),
                headers={"Allow": allowed},
            )
        if method != "OPTIONS":
            check_version(request.headers)
        if upload_id and method != "OPTIONS" and not _ID.match(upload_id):
            await self._context.authenticator.check(request, None)
            raise not_found()
        return await handlers[method](self._context, request, upload_id)


def _path_below_mount(scope: Scope) -> str:
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(root) if root and path.startswith(root) else path


def _refusal(error: TusError, method: str) -> Response:
    headers = {"Cache-Control": "no-store", **error.headers}
    if method == "HEAD":
        return Response(status_code=error.status, headers=headers)
    body = json.dumps({"message": in_page_language(error.message)})
    return Response(body, status_code=error.status, headers=headers, media_type="application/json")
