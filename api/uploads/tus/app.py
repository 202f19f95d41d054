"""The upload host as an ASGI app: mountable at any path, or alone."""

from __future__ import annotations

import json
import re

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from api.uploads.tus.cors import cors_headers
from api.uploads.tus.creation import ID_BYTES
from api.uploads.tus.errors import DiskFull, TusError, disk_full, not_found
from api.uploads.tus.headers import VERSION, check_version
from api.uploads.tus.host import ClientGone, TusHost
from api.uploads.tus.protocol import FOR_COLLECTION, FOR_UPLOAD

log = structlog.get_logger(__name__)

_ID = re.compile(rf"^[0-9a-f]{{{ID_BYTES * 2}}}$")
BUSY = "The upload service is busy or restarting. Nothing was lost; try again in a moment."


def create_tus_app(host: TusHost, *, unavailable: tuple[type[Exception], ...] = ()) -> ASGIApp:
    """The app. Errors of the kinds in `unavailable` (a record keeper that is away) are answered with 503."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("The upload host answers HTTP only.")
        headers = Headers(scope=scope)
        # A client behind a proxy that knows no PATCH sends POST and names the real method.
        method = headers.get("X-HTTP-Method-Override", scope["method"]).upper()
        scope = {**scope, "method": method}
        try:
            answer = await _dispatch(host, Request(scope, receive), method)
        except ClientGone:
            return
        except TusError as error:
            answer = _refusal(error, method)
        except DiskFull:
            answer = _refusal(disk_full(), method)
        except unavailable as error:
            log.error("upload.records_unavailable", error=type(error).__name__)
            answer = _refusal(TusError(503, BUSY, headers={"Retry-After": "1"}), method)
        answer.headers["Tus-Resumable"] = VERSION
        is_preflight = method == "OPTIONS" and "Access-Control-Request-Method" in headers
        answer.headers.update(cors_headers(headers, own_origins=host.rules.own_origins, is_preflight=is_preflight))
        await answer(scope, receive, send)

    return app


async def _dispatch(host: TusHost, request: Request, method: str) -> Response:
    upload_id = _path_below_mount(request.scope).strip("/")
    handlers = FOR_UPLOAD if upload_id else FOR_COLLECTION
    if method not in handlers:
        allowed = ", ".join(handlers)
        raise TusError(405, f"Use one of {allowed} here.", headers={"Allow": allowed})
    if method != "OPTIONS":
        check_version(request.headers)
    if upload_id and method != "OPTIONS" and not _ID.match(upload_id):
        await host.authenticator.check(request, None)
        raise not_found()
    return await handlers[method](host, request, upload_id)


def _path_below_mount(scope: Scope) -> str:
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(root) if root and path.startswith(root) else path


def _refusal(error: TusError, method: str) -> Response:
    headers = {"Cache-Control": "no-store", **error.headers}
    if method == "HEAD":
        return Response(status_code=error.status, headers=headers)
    body = json.dumps({"message": error.message})
    return Response(body, status_code=error.status, headers=headers, media_type="application/json")
