"""A Ray cluster of two nodes, partly held by replicas: a job that fits on neither node waits in the database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from api.jobs import service
from api.jobs.states import JobKind, JobState
from api.testing.jobs.installation import HEAD_STARTS, PROJECT, Head, Installation, only_sqlite
from api.testing.jobs.odd_types import STRANGE_TYPES
from api.testing.jobs.strange_flows import Strange
from cluster.ports import free_ports
from cluster.processes import end_leftovers
from cluster.resources import node_slots

SECOND_NODE_SLOTS = 2
FREE_EACH = 1.5

# Like the replicas of Ray Serve, these actors hold their slots as long as they live.
REPLICAS = """
import sys
from cluster import ray_runtime
address = ray_runtime.connect(wait_s=60)
import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
@ray.remote
class Replica:
    def ready(self): return True
replicas = []
while len(nodes := [node for node in ray.nodes() if node["Alive"]]) < 2: pass
for node in nodes:
    strategy = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
    held = node["Resources"]["CPU"] - float(sys.argv[1])
    replicas.append(Replica.options(num_cpus=held, scheduling_strategy=strategy).remote())
ray.get([replica.ready.remote() for replica in replicas])
while ray_runtime.free_cpus(address) != [float(sys.argv[1])] * len(nodes): pass
print("held", flush=True)
sys.stdin.read()
"""


# The raylet waits only 15 s for its agent to write its port, too little on a busy machine: see `ray_head_main`.
NODE = """
import json, sys
from ray._private.node import Node
from ray._private.parameter import RayParams
from ray._raylet import DASHBOARD_AGENT_LISTEN_PORT_NAME, persist_port
class SecondNode(Node):
    def start_ray_processes(self):
        port = self._ray_params.dashboard_agent_listen_port
        persist_port(self._session_dir, self._node_id, DASHBOARD_AGENT_LISTEN_PORT_NAME, port)
        super().start_ray_processes()
SecondNode(RayParams(**json.loads(sys.argv[1])), head=False, shutdown_at_exit=True, spawn_reaper=False)
print("started", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def second_node(head: Head) -> Iterator[None]:
    """Add a second raylet to the head's cluster and a replica to each node."""
    node = start_second_node(head)
    replicas = subprocess.Popen(
        [sys.executable, "-c", REPLICAS, str(FREE_EACH)],
        cwd=PROJECT,
        env={**os.environ, "SAGASCRIPT_DATA_DIR": str(head.settings.data_dir)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert replicas.stdout is not None
        assert replicas.stdout.readline() == b"held\n"
        yield
    finally:
        replicas.communicate()
        end_node(node)


def start_second_node(head: Head) -> subprocess.Popen[bytes]:
    """Start a raylet. Ray allows 30 s, which may be too little on a busy machine, so try again."""
    assert head.plan is not None
    log = head.settings.data_dir / "second-node.log"
    for _ in range(HEAD_STARTS):
        listen, grpc, metrics, runtime_env = free_ports(4)
        fields = {
            "gcs_address": head.plan.address,
            "num_cpus": SECOND_NODE_SLOTS,
            "object_store_memory": 100_000_000,
            "dashboard_agent_listen_port": listen,
            "metrics_agent_port": grpc,
            "metrics_export_port": metrics,
            "runtime_env_agent_port": runtime_env,
            "include_log_monitor": False,
        }
        with log.open("wb") as errors:
            node = subprocess.Popen(
                [sys.executable, "-c", NODE, json.dumps(fields)],
                env=head.plan.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        assert node.stdout is not None
        if b"started\n" in node.stdout:
            return node
        end_node(node)
    raise AssertionError(f"The second node did not start: {log.read_text()}")


def end_node(node: subprocess.Popen[bytes]) -> None:
    node.kill()
    node.wait()
    end_leftovers(None, {node.pid}, grace_s=0)


@only_sqlite
@pytest.mark.usefixtures("second_node")
async def test_a_job_that_fits_on_no_node_waits_in_the_database(installation: Installation) -> None:
    """Three slots are free, but each node has room for only one whole job."""
    assert node_slots() >= SECOND_NODE_SLOTS
    files = [await installation.file() for _ in range(3)]
    ids = [await installation.enqueue(JobKind.ENCODING, file, Strange(what="still")) for file in files]
    installation.dispatcher(flows="strange")
    for job_id in ids[:2]:
        await installation.when(job_id, lambda job: job.phase == "working")
    third = await installation.job(ids[2])
    assert (third.state, third.attempt) == (JobState.READY, 0)
    async with installation.database.write() as session:
        assert await service.cancel(session, STRANGE_TYPES, service.of_files([files[0].id])) == 1
    await installation.when(ids[2], lambda job: job.phase == "working")
    assert (await installation.job(ids[0])).state == JobState.CANCELLED
