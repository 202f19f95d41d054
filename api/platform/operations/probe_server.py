"""A small web server beside a process's real work, for probes and figures alone."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import structlog
from starlette.applications import Starlette

from api.platform.operations.figures import ProcessFigures
from api.platform.operations.plain_routes import probe_routes
from api.platform.operations.readiness import ReadinessProbe
from api.platform.server.inheritance import inherited_listeners
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from cluster.ports import listen_once

BIND_AGAIN_S = 5.0

log = structlog.get_logger(__name__)


class _WithoutSignals(WebServer):
    """The process handles its signals itself."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_probes(
    settings: ApiSettings, host: str, port: int, probe: ReadinessProbe, figures: ProcessFigures
) -> None:
    """Serve until cancelled, on the socket that this process inherits or on one of its own.

    Port 0 takes any free one, which the log names. A taken port is tried again.
    """
    app = Starlette(routes=probe_routes(settings, probe, figures))
    with contextlib.ExitStack() as held:
        listeners = [held.enter_context(each) for each in inherited_listeners() or [await _listening(host, port)]]
        log.info("probes.ready", url=f"http://{_bracketed(host)}:{listeners[0].getsockname()[1]}")
        server = _WithoutSignals(app, settings)
        serving = asyncio.create_task(server.serve(sockets=listeners))
        try:
            await asyncio.shield(serving)
        finally:
            # A cancelled uvicorn logs a traceback of its lifespan, and drops the probe that it is answering.
            server.should_exit = True
            await serving


async def _listening(host: str, port: int) -> socket.socket:
    """The process's work goes on without its probes: nothing waits for them."""
    has_failed = False
    while True:
        try:
            return listen_once(host, port)
        except OSError as error:
            if not has_failed:
                log.error("probes.port_taken", host=host, port=port, error=error.strerror)
            has_failed = True
            await asyncio.sleep(BIND_AGAIN_S)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
