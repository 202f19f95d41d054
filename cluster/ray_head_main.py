"""The program that is the Ray head: `python -m cluster.ray_head_main` with `RayParams` fields as JSON.

`ray start` does the same and more: importing its command line takes 2 s, and the dashboard process that it starts even
with `--include-dashboard=false`, only to count uses, takes 2 s of computing before the node may come up. On two cores
the head is ready after 3 s instead of 9. It uses Ray's own classes below that command; `test_ray_head.py` fails when a
new Ray changes them.

Ray gives parts of its own start fixed times, which a busy machine exceeds: 15 s for the dashboard agent and 30 s for
the whole node. Here nothing has a fixed time. The supervisor, which sees whether the processes get on, decides.
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
        """Nothing here asks the dashboard."""

    def start_gcs_server(self) -> None:
        """Start the GCS and wait until it listens: Ray's client would go on asking one that has ended for minutes."""
        super().start_gcs_server()  # type: ignore[no-untyped-call]
        while not is_listening(self._node_ip_address, self._ray_params.gcs_server_port or 0):
            self._require_alive()
            time.sleep(_REGISTERED_EVERY_S)

    def start_ray_processes(self) -> None:
        """Start the raylet and wait until it has registered; RuntimeError when one of the processes ends before."""
        # The raylet waits at most 15 s for the agent to write its port to this file. The port is chosen by us, so the
        # file can be there at once, and the node comes up 1.5 s earlier, while the agent still imports its modules.
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
    """Run the node until one of its processes ends, which Ray cannot mend. Signals end it in order."""
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
    # Not by way of Ray's own end, which would stop the processes again and report success.
    os._exit(1)


def _leave_the_cores_to_others(node: Node) -> None:
    """Lower the priority of the dashboard agent, which Ray does not run without and nobody here asks anything.

    Its 1.3 s of imports would be taken from what the first caption waits for.
    """
    for info in node.all_processes[ray_constants.PROCESS_TYPE_RAYLET]:
        for pid in children(info.process.pid):
            if any(part.endswith("dashboard/agent.py") for part in command_line(pid)):
                os.setpriority(os.PRIO_PROCESS, pid, 19)


def _names_of_dead(node: Node) -> str:
    return ", ".join(name for name, _ in node.dead_processes())  # type: ignore[no-untyped-call]


def _require_free(*ports: int) -> None:
    """Ray itself notices a taken port only after a minute of retries. The next start uses other ports."""
    for port in ports:
        if not is_free("", port):
            raise PortTaken(f"Port {port}, chosen for Ray, was taken by another program meanwhile.")


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
