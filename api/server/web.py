"""How the processes that answer HTTP are served: one configuration for `api`, `uploads` and `relay`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from api.server.request_heads import BoundedHttpProtocol
from api.settings import ApiSettings

CLOSE_WITHIN_S = 2
"""Requests that still run at a stop have this long; uploads resume and sockets reconnect."""

WebSocketFactory = Callable[[uvicorn.Config, ServerState, dict[str, Any]], asyncio.Protocol]


def server_config(app: ASGIApp, settings: ApiSettings, *, websockets: WebSocketFactory | None = None) -> uvicorn.Config:
    """The configuration of a web server. Without `websockets` an offer of one is ignored: the request is plain HTTP."""
    return uvicorn.Config(
        app,
        http=BoundedHttpProtocol,
        # uvicorn only calls it, once for each connection, with these three as keywords.
        ws="none" if websockets is None else cast(type[asyncio.Protocol], websockets),
        host=settings.host,
        port=settings.port,
        proxy_headers=bool(settings.forwarded_allow_ips),
        forwarded_allow_ips=settings.forwarded_allow_ips,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=CLOSE_WITHIN_S,
    )
