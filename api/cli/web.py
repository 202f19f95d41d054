"""Run one ASGI application until it is told to stop."""

from __future__ import annotations

from typing import Any

from api.settings import ApiSettings

CLOSE_WITHIN_S = 2
"""Requests that still run at a stop have this long; uploads resume and sockets reconnect."""


def run_web(app: Any, settings: ApiSettings) -> None:
    import uvicorn

    from api.uploads.http_protocol import UploadHttpProtocol

    uvicorn.run(
        app,
        http=UploadHttpProtocol,
        host=settings.host,
        port=settings.port,
        proxy_headers=bool(settings.forwarded_allow_ips),
        forwarded_allow_ips=settings.forwarded_allow_ips,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_WITHIN_S,
        ws_max_size=1_000_000,
    )
