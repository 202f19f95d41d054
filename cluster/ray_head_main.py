"""The program that is the Ray head: `python -m cluster.ray_head_main` with `RayParams` fields as JSON.

`ray start` does the same and more: importing its command line takes 2 s, and the dashboard process that it starts even
with `--include-dashboard=false`, only to count uses, takes 2 s of computing before the node may come up. On two cores
the head is ready after 3 s instead of 9. It uses Ray's own classes below that command; `test_ray_head.py` would tell
that a new Ray has changed them.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from ray._private import parameter, services
from ray._private.node import Node

from cluster.ray_head import READY_LINE

_LOOK_EVERY_S = 0.5


class _Head(Node):
    def start_api_server(self, **_options: Any) -> None:
        """Nothing here asks the dashboard."""


def main(fields: dict[str, Any]) -> None:
    """Run the node until one of its processes ends, which Ray cannot mend. Signals end it in order."""
    address = services.resolve_ip_for_localhost("127.0.0.1")
    port = fields.pop("gcs_server_port")
    params = parameter.RayParams(node_ip_address=address, node_name=address, **fields)
    params.gcs_server_port = port
    node = _Head(params, head=True, shutdown_at_exit=True, spawn_reaper=True)
    _tell(f"{READY_LINE} {node.address}")
    while not (dead := node.dead_processes()):  # type: ignore[no-untyped-call]
        time.sleep(_LOOK_EVERY_S)
    _tell(f"Ended: {', '.join(name for name, _ in dead)}")
    node.kill_all_processes(check_alive=False, allow_graceful=False)
    # Not by way of Ray's own end, which would stop the processes again and report success.
    os._exit(1)


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
