"""The program that is one more node of a test's Ray cluster: `python -m cluster.testing.ray_node_main` with JSON.

`ray start` does the same after 3 s of imports. The raylet waits only 15 s for its agent to write its port, too little
on a busy machine, so we choose the port and write it: see `cluster/ray_head_main.py`.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from ray._private.node import Node
from ray._private.parameter import RayParams
from ray._raylet import DASHBOARD_AGENT_LISTEN_PORT_NAME, persist_port  # type: ignore[attr-defined]

from cluster.testing.ray_node import JOINED


class _Worker(Node):
    def start_ray_processes(self) -> None:
        port = self._ray_params.dashboard_agent_listen_port
        persist_port(self._session_dir, self._node_id, DASHBOARD_AGENT_LISTEN_PORT_NAME, port)
        super().start_ray_processes()  # type: ignore[no-untyped-call]


def main(fields: dict[str, Any]) -> None:
    """Run the node until standard input ends."""
    node = _Worker(RayParams(**fields), head=False, shutdown_at_exit=True, spawn_reaper=False)
    sys.stdout.write(f"{JOINED}{node._node_id}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
