"""How a raylet starts here: with an agent that does nothing instead of Ray's dashboard agent.

Ray has no setting for it. `cluster/tests/test_ray_head.py` fails when a new Ray changes what is replaced here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ray._private import services, utils
from ray._private.node import Node
from ray._raylet import (
    DASHBOARD_AGENT_LISTEN_PORT_NAME,  # pyrefly: ignore[missing-module-attribute]
    METRICS_AGENT_PORT_NAME,  # pyrefly: ignore[missing-module-attribute]
    METRICS_EXPORT_PORT_NAME,  # pyrefly: ignore[missing-module-attribute]
    persist_port,  # pyrefly: ignore[missing-module-attribute]
)

_OPTION = "--dashboard_agent_command="
_AGENT = (sys.executable, "-I", "-S", str(Path(__file__).with_name("idle_agent.py")))
_NOT_IN_USE = -1
"""What Ray's agent writes as its ports where the dashboard's libraries are not installed."""


class LeanNode(Node):
    """A node of Ray whose raylet has an agent that does nothing."""

    def start_raylet(self, *arguments: Any, **options: Any) -> None:
        """Start the raylet, which waits up to 15 s for its agent to write these ports: they are there before."""
        for name in (DASHBOARD_AGENT_LISTEN_PORT_NAME, METRICS_AGENT_PORT_NAME, METRICS_EXPORT_PORT_NAME):
            persist_port(self._session_dir, self._node_id, name, _NOT_IN_USE)
        with _idle_agent():
            super().start_raylet(*arguments, **options)


@contextmanager
def _idle_agent() -> Iterator[None]:
    start, find_error = services.start_ray_process, utils.get_dashboard_dependency_error

    def start_with_idle_agent(command: Sequence[str], *arguments: Any, **options: Any) -> Any:
        agent = _OPTION + subprocess.list2cmdline(_AGENT)
        return start([agent if part.startswith(_OPTION) else part for part in command], *arguments, **options)

    services.start_ray_process = start_with_idle_agent
    # It imports the dashboard's libraries, only to choose the options of the agent.
    utils.get_dashboard_dependency_error = lambda: None
    try:
        yield
    finally:
        services.start_ray_process, utils.get_dashboard_dependency_error = start, find_error
