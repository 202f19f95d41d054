"""`sagascript uploads`: the upload server alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from api.edges.cli.web_process import Host, Port, run_web_process
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from api.platform.server.web import WebServer


def uploads(host: Host = None, port: Port = None) -> None:
    """Run the upload server on its own."""
    run_web_process("uploads", _load, host=host, port=port)


def _load() -> Callable[[ApiSettings], WebServer]:
    from api.platform.operations.processes import upload_server

    return upload_server
