"""A Ray cluster of two nodes, partly held by replicas: a job that fits on neither node waits in the database."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from api.platform.jobs import service
from api.platform.jobs.states import JobKind, JobState
from api.testing.jobs.installation import PROJECT, Head, Installation, only_sqlite
from api.testing.jobs.odd_types import STRANGE_TYPES
from api.testing.jobs.strange_flows import Strange
from cluster.resources import node_slots
from cluster.testing.ray_node import RayNode

SECOND_NODE_SLOTS = 2
FREE_EACH = 1.5

# Like the replicas of Ray Serve, these actors hold their slots as long as they live.
REPLICAS = """
import sys
from cluster.ray import nodes as ray_nodes
from cluster.ray import runtime as ray_runtime
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
while [node.free for node in ray_nodes.read_nodes(address)] != [float(sys.argv[1])] * len(nodes): pass
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def second_node(head: Head) -> Iterator[None]:
    """Add a second raylet to the head's cluster and a replica to each node."""
    assert head.plan is not None
    log = head.settings.data_dir / "second-node.log"
    node = RayNode(head.plan.address, head.plan.env, log, SECOND_NODE_SLOTS)
    node.start()
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
        node.kill()


@pytest.mark.long
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
