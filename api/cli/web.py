"""Run one ASGI application until it is told to stop."""

from __future__ import annotations

from typing import Any

CLOSE_WITHIN_S = 2
"""Requests that still run at a stop have this long; uploads resume and sockets reconnect."""


def run_web(app: Any, *, host: str, port: int) -> None:
    import uvicorn

    from api.uploads.http_protocol import UploadHttpProtocol

    uvicorn.run(
        app,
        http=UploadHttpProtocol,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_WITHIN_S,
        ws_max_size=1_000_000,
    )
