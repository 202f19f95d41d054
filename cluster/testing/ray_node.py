"""More nodes for a test's Ray cluster, all on this machine: add, drain and kill them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cluster.processes import leftovers
from cluster.testing.ports import free_port

JOINED = "joined "
"""Printed by `ray_node_main` before the node's id, once it has registered."""
PROJECT = Path(__file__).parents[2]
OBJECT_STORE_BYTES = 100_000_000
_STARTS = 3
"""Ray allows a node 30 s to come up, which may be too little on a busy machine."""
_DRAIN = """
import sys
from ray._raylet import GcsClient
from ray.core.generated.autoscaler_pb2 import DRAIN_NODE_REASON_PREEMPTION
address, node, deadline_ms = sys.argv[1:]
is_accepted, why = GcsClient(address=address).drain_node(node, DRAIN_NODE_REASON_PREEMPTION, "Test.", int(deadline_ms))
sys.exit(None if is_accepted else why)
"""
"""What `ray drain-node` does after 2 s of imports."""


@dataclass
class RayNode:
    """One raylet with its agent and workers, in a session of its own."""

    gcs_address: str
    env: Mapping[str, str]
    log: Path
    slots: float
    gpus: float = 0
    """Offered to Ray; nothing checks that they exist."""
    id: str = ""
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        for _ in range(_STARTS):
            self._start()
            assert self.process is not None
            assert self.process.stdout is not None
            for line in self.process.stdout:
                if line.startswith(JOINED):
                    self.id = line.removeprefix(JOINED).strip()
                    return
            self.kill()
        raise AssertionError(f"The node did not start: {self.log.read_text()}")

    def _start(self) -> None:
        fields = {
            "gcs_address": self.gcs_address,
            "num_cpus": self.slots,
            "num_gpus": self.gpus,
            "object_store_memory": OBJECT_STORE_BYTES,
            "runtime_env_agent_port": free_port(),
            "include_log_monitor": False,
        }
        with self.log.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cluster.testing.ray_node_main", json.dumps(fields)],
                cwd=PROJECT,
                env=dict(self.env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End every process of the node at once, as a power failure does."""
        if self.process is not None:
            # Not `end_leftovers`, whose SIGTERM Ray's node would still answer by taking its leave.
            while left := leftovers(None, {self.process.pid}):
                for pid in left:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
                self.process.poll()
                time.sleep(0.02)
            self.process.communicate()

    def drain(self, seconds: int | None = None) -> None:
        """Announce that the node leaves, after so many seconds if given. Nothing ends it then: see `kill`."""
        deadline_ms = 0 if seconds is None else int((time.time() + seconds) * 1000)
        program = [sys.executable, "-c", _DRAIN, self.gcs_address, self.id, str(deadline_ms)]
        subprocess.run(program, env=dict(self.env), check=True, capture_output=True)
