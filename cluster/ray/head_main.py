"""The program that is the Ray head: `python -m cluster.ray.head_main` with `RayParams` fields as JSON.

`ray start` does the same but is slower. Importing its command line takes 2 s. It starts a dashboard process even with
`--include-dashboard=false`, only to count usage, which computes for 2 s before the node can come up. On two cores this
head is ready after 3 s instead of 9. It uses the classes of Ray below that command; `test_ray_head.py` fails when a
new Ray changes them.

Ray limits parts of its start to fixed times that a busy machine exceeds: 15 s for the dashboard agent and 30 s for the
whole node. Here nothing has a fixed limit: the supervisor sees whether the processes make progress, and decides.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from ray._private import parameter, services
from ray._private.node import Node

from cluster.ports import PortTaken, is_free, is_listening
from cluster.ray.head import READY_LINE
from cluster.ray.raylet import LeanNode

_LOOK_EVERY_S = 0.5
_REGISTERED_EVERY_S = 0.05


class _Head(LeanNode):
    def start_api_server(self, **_options: Any) -> None:
        """Do nothing: we don't use the dashboard."""

    def start_gcs_server(self) -> None:
        """Start the GCS and wait until it listens. Ray's client would retry for minutes if it had ended."""
        super().start_gcs_server()
        while not is_listening(self._node_ip_address, self._ray_params.gcs_server_port or 0):
            self._require_alive()
            time.sleep(_REGISTERED_EVERY_S)

    def start_ray_processes(self) -> None:
        """Start the raylet and wait until it has registered. Raises RuntimeError if one of the processes ends."""
        super().start_ray_processes()
        while not self._is_registered():
            self._require_alive()
            time.sleep(_REGISTERED_EVERY_S)

    def _require_alive(self) -> None:
        if dead := _names_of_dead(self):
            raise RuntimeError(f"{dead} ended while Ray was starting. Its log in the folder logs/ray says why.")

    def _is_registered(self) -> bool:
        try:
            services.get_node(self.gcs_address, self._node_id)  # type: ignore[no-untyped-call]
        except RuntimeError:
            return False
        return True


def main(fields: dict[str, Any]) -> None:
    """Run the node until one of its processes ends, from which Ray cannot recover. Signals stop it cleanly."""
    address = services.resolve_ip_for_localhost("127.0.0.1")
    port = fields.pop("gcs_server_port")
    _require_free(port, fields["runtime_env_agent_port"])
    params = parameter.RayParams(node_ip_address=address, node_name=address, **fields)
    params.gcs_server_port = port
    node = _Head(params, head=True, shutdown_at_exit=True, spawn_reaper=True)
    _tell(f"{READY_LINE} {node.address}")
    while not (dead := _names_of_dead(node)):
        time.sleep(_LOOK_EVERY_S)
    _tell(f"Ended: {dead}")
    node.kill_all_processes(check_alive=False, allow_graceful=False)
    # Skip Ray's exit handlers, which would stop the processes again and report success.
    os._exit(1)


def _names_of_dead(node: Node) -> str:
    return ", ".join(name for name, _ in node.dead_processes())  # type: ignore[no-untyped-call]


def _require_free(*ports: int) -> None:
    """Ray itself reports a taken port only after a minute of retries. The next start uses other ports."""
    for port in ports:
        if not is_free("", port):
            raise PortTaken(f"Another program has taken port {port}, which was chosen for Ray.")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
