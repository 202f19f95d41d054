"""`sagascript relay`: the realtime relay alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from api.edges.cli.web_process import Host, Port, run_web_process
from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from api.platform.server.web import WebServer


def relay(host: Host = None, port: Port = None) -> None:
    """Run the realtime relay on its own."""
    run_web_process("relay", _load, host=host, port=port)


def _load() -> Callable[[ApiSettings], WebServer]:
    from api.platform.operations.processes import relay_server

    return relay_server
