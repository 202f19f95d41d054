"""`sagascript api`: JSON API and pages, with uploads and realtime unless these run on their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from api.edges.cli.web_process import Host, Port, run_web_process
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from api.platform.server.web import WebServer


def api(host: Host = None, port: Port = None) -> None:
    """Run the web process."""
    run_web_process("api", _load, host=host, port=port)


def _load() -> Callable[[ApiSettings], WebServer]:
    from api.app import create_server

    return create_server
