"""The program that is the Ray head: `python -m cluster.ray_head_main` with `RayParams` fields as JSON.

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

from ray._private import parameter, ray_constants, services
from ray._private.node import Node
from ray._raylet import DASHBOARD_AGENT_LISTEN_PORT_NAME, persist_port  # type: ignore[attr-defined]

from cluster.ports import PortTaken, is_free, is_listening
from cluster.processes import children, command_line
from cluster.ray_head import READY_LINE

_LOOK_EVERY_S = 0.5
_REGISTERED_EVERY_S = 0.05


class _Head(Node):
    def start_api_server(self, **_options: Any) -> None:
        """Do nothing: we don't use the dashboard."""

    def start_gcs_server(self) -> None:
        """Start the GCS and wait until it listens. Ray's client would retry for minutes if it had ended."""
        super().start_gcs_server()  # type: ignore[no-untyped-call]
        while not is_listening(self._node_ip_address, self._ray_params.gcs_server_port or 0):
            self._require_alive()
            time.sleep(_REGISTERED_EVERY_S)

    def start_ray_processes(self) -> None:
        """Start the raylet and wait until it has registered. Raises RuntimeError if one of the processes ends."""
        # The raylet waits at most 15 s for the agent to write its port to this file. We choose the port, so we write
        # the file at once. The node then comes up 1.5 s earlier, while the agent is still importing its modules.
        port = self._ray_params.dashboard_agent_listen_port
        persist_port(self._session_dir, self._node_id, DASHBOARD_AGENT_LISTEN_PORT_NAME, port)
        super().start_ray_processes()  # type: ignore[no-untyped-call]
        while not self._is_registered():
            self._require_alive()
            time.sleep(_REGISTERED_EVERY_S)
        _leave_the_cores_to_others(self)

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


def _leave_the_cores_to_others(node: Node) -> None:
    """Lower the priority of the dashboard agent, which Ray requires but we don't use.

    Its imports take 1.3 s that the first caption would have to wait.
    """
    for info in node.all_processes[ray_constants.PROCESS_TYPE_RAYLET]:
        for pid in children(info.process.pid):
            if any(part.endswith("dashboard/agent.py") for part in command_line(pid)):
                os.setpriority(os.PRIO_PROCESS, pid, 19)


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
