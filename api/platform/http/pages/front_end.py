"""The built front end: hashed assets cached forever, `index.html` for every page, and security headers."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.platform.http.errors import NotFound
from api.platform.http.pages.compression import smallest
from api.platform.http.pages.content_security import OtherOrigins, content_security_policy
from api.platform.http.pages.missing_build import NOT_BUILT

API_PREFIXES = ("/api/", "/v1/", "/sanctum/", "/tus/", "/app/", "/apps/", "/pusher/")

SAFE_HEADERS = {
    "cross-origin-opener-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
}


LASTING = "public, max-age=31536000, immutable"
"""For files whose names contain their hash."""


NOT_STORED = ("/api/", "/v1/", "/sanctum/", "/login", "/register")
"""Answers about people. Neither browsers nor proxies store them, unless a route says otherwise."""
HSTS = {"strict-transport-security": "max-age=31536000; includeSubDomains"}


class SafeHeaders:
    """Add the headers above to every HTTP answer that does not set them itself.

    Pages may use this server and `other` alone. With `is_https`, browsers must come back by https alone.
    """

    def __init__(self, app: ASGIApp, *, other: OtherOrigins = OtherOrigins(), is_https: bool = False) -> None:  # noqa: B008
        self.app = app
        headers = SAFE_HEADERS | {"content-security-policy": content_security_policy(other)}
        if is_https:
            headers |= HSTS
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                present = {name.lower() for name, _ in headers}
                headers += [header for header in self._headers if header[0] not in present]
                if scope["path"].startswith(NOT_STORED) and b"cache-control" not in present:
                    headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": headers}
            await send(message)

        await self.app(scope, receive, send_with_headers)


def install_pages(app: FastAPI, ui_root: Path) -> None:
    """Serve files of `ui_root`, and `index.html` for any other path that a browser opens as a page."""
    root = ui_root.resolve()

    @app.api_route("/api/docs", methods=["GET", "HEAD"], include_in_schema=False)
    @app.api_route("/api/v1/docs", methods=["GET", "HEAD"], include_in_schema=False)
    async def docs() -> Response:
        """Swagger UI over `/openapi.json` or the document of REST v1, built with the front end: no other server."""
        return _page(root / "docs.html")

    @app.api_route("/docs", methods=["GET", "HEAD"], include_in_schema=False)
    @app.api_route("/docs/{name:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def manual(request: Request, name: str = "") -> Response:
        """The manual, built from the repository's documents."""
        page = _asset(root, f"docs/{name or 'index'}.html")
        if page is not None and name != "404":
            return FileResponse(page, headers={"Cache-Control": "no-cache"})
        missing = root / "docs" / "404.html"
        if missing.is_file() and "text/html" in request.headers.get("accept", ""):
            return FileResponse(missing, status_code=404, headers={"Cache-Control": "no-cache"})
        raise NotFound

    @app.api_route("/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        if f"/{path}".startswith(API_PREFIXES):
            raise NotFound
        asset = _asset(root, path)
        if asset is not None:
            is_lasting = asset.relative_to(root).parts[0] == "assets"
            return smallest(asset, request, {"Cache-Control": LASTING if is_lasting else "no-cache"})
        if path and "text/html" not in request.headers.get("accept", ""):
            raise NotFound
        return _page(root / "index.html")


def _page(file: Path) -> Response:
    if not file.is_file():
        return JSONResponse({"message": NOT_BUILT}, status_code=503)
    return FileResponse(file, headers={"Cache-Control": "no-cache"})


def _asset(root: Path, path: str) -> Path | None:
    """The file of `root` at `path`. None also for impossible names, such as a segment of 300 letters."""
    try:
        asset = (root / path).resolve()
        return asset if path and asset.is_relative_to(root) and asset.is_file() else None
    except (OSError, ValueError):
        return None
