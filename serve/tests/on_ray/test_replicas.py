"""What replicas report of themselves on a real Ray cluster, and what is left of those that are killed."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import ray

from cluster.testing.patience import PATIENCE_S
from serve.application import report_on, start, wait_ready
from serve.core.capability_store import publish_counts
from serve.core.replica.deployment import model_application
from serve.core.replica.report import gpu_memory, memory_of
from serve.core.replica.watch import ReplicaWatch
from serve.core.replica_messages import ReplicaReport, TaskReplicas
from serve.tests.casing import CASING, Caser, CasingClient, CasingProfile, Sentence

MIB = 1024 * 1024


@pytest.fixture(scope="module", autouse=True)
def caser_deployed() -> None:
    """One replica of the casing model."""
    profile = CasingProfile(num_cpus=0.25, workers=1)
    start({CASING.name: model_application(Caser, profile, profile)})
    wait_ready(PATIENCE_S, tasks=[CASING])


def one_report(watch: ReplicaWatch, fits: Callable[[ReplicaReport], bool]) -> ReplicaReport:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        found = watch().running
        if len(found) == 1 and fits(found[0]):
            return found[0]
        assert time.monotonic() < deadline, found
        time.sleep(0.2)


@pytest.mark.long
def test_a_replica_says_where_it_runs_and_what_it_takes_and_a_killed_one_is_forgotten() -> None:
    report = one_report(ReplicaWatch(CASING.name), lambda _: True)
    assert (report.engine, report.model, report.device) == ("rules", "english", "cpu")
    assert report.node == os.uname().nodename
    assert report.memory is not None
    assert report.memory > 10 * MIB
    assert report.gpu is None
    assert report_on(CASING.name).replicas == 1

    publish_counts(CASING.name, {"starting": 1, "stopping": 0})
    hasty = ReplicaWatch(CASING.name, silent_s=PATIENCE_S)
    assert hasty().starting == 1
    named = ray.util.list_named_actors(all_namespaces=True)
    (replica,) = [ray.get_actor(**actor) for actor in named if Caser.__name__ in actor["name"]]
    ray.kill(replica, no_restart=True)
    # Serve starts another one, which reports beside what is left of the first.
    with CasingClient(CASING, deadline_s=PATIENCE_S) as client:
        assert client.run(Sentence("file", "good morning.")).text == "Good morning."
    deadline = time.monotonic() + PATIENCE_S
    while len(hasty().running) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    successor = one_report(ReplicaWatch(CASING.name, silent_s=12), lambda each: each.id != report.id)
    assert successor.memory is not None


@pytest.mark.long
def test_a_replica_that_reports_nothing_new_falls_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is the test's own."""
    said = [ReplicaReport("a", 1, "node", "10.0.0.1", "rules", "english", "cpu", False, MIB)]
    removed: list[str] = []
    monkeypatch.setattr("serve.core.replica.watch.published_replicas", lambda task: list(said))
    monkeypatch.setattr("serve.core.replica.watch.published_counts", lambda task: {"stopping": 2})
    monkeypatch.setattr("serve.core.replica.watch.remove_replica", lambda task, name: removed.append(name))
    clock = [0.0]
    watch = ReplicaWatch("casing", silent_s=40, now=lambda: clock[0])
    assert watch() == TaskReplicas(tuple(said), 0, 2)
    clock[0] = 39
    assert watch().running == tuple(said)
    clock[0] = 41
    assert watch().running == ()
    assert removed == ["a"]
    said[0] = ReplicaReport("a", 2, "node", "10.0.0.1", "rules", "english", "cpu", True, MIB)
    assert watch().running == tuple(said), "it is alive after all"


def test_memory_is_that_of_the_process_and_those_below_it() -> None:
    own = memory_of(os.getpid())
    assert own is not None
    assert own > 10 * MIB
    assert memory_of(2**30) is None


def test_a_child_that_ended_takes_no_memory() -> None:
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert memory_of(os.getpid()) is not None
    child.wait()


def test_the_memory_of_gpus_is_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho '1000, 81559'\necho '24, 81559'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    memory = gpu_memory(["0", "1"])
    assert memory is not None
    assert (memory.used, memory.total) == (1024 * MIB, 2 * 81559 * MIB)
    assert gpu_memory([]) is None
    program.write_text("#!/bin/sh\necho 'No devices were found'\n")
    assert gpu_memory(["0"]) is None
