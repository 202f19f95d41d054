"""Each thing that can be wrong with a node is told in one finding, which names the node and says what to do."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import replace
from pathlib import Path

import pytest

from cluster.check.cluster import check_ray
from cluster.check.findings import SKEW_MISSING_S, SKEW_WARN_S, judge, judge_lost
from cluster.check.node import NodeFacts, NodeLook, NodeReport, digest, look
from cluster.doctor import State
from cluster.ray.nodes import LostNode
from cluster.settings import ClusterSettings

FACTS = NodeFacts(
    host="worker-1",
    sagascript=importlib.metadata.version("sagascript"),
    python=platform.python_version(),
    ray=importlib.metadata.version("ray"),
    cores=8,
    memory_bytes=16_000_000_000,
    drivers=(),
    driver_problem="",
    models_folder="/models",
    models=(("whisper-small", "abc"),),
    storage_problem="",
    work_problem="",
    programs=(("ffmpeg", "5.1.6"), ("ctranslate2", "4.6.0")),
)
NODE = NodeReport(address="10.0.0.1", slots=8.0, gpus=0.0, is_head=False, skew_s=0.0, facts=FACTS, problem="")
GPU_FACTS = replace(FACTS, host="gpu-1", drivers=("NVIDIA H100, 570.1",), programs=(*FACTS.programs, ("torch", "2.9")))
GPU = replace(NODE, address="10.0.0.2", slots=0.0, gpus=1.0, facts=GPU_FACTS)


def test_a_healthy_cluster_has_no_complaint() -> None:
    found = judge([NODE, GPU])
    assert {check.state for check in found} == {State.OK}, found
    assert all(check.sentence.endswith(".") for check in found)
    assert {check.name: check.sentence for check in found}["slots"] == "8 in all: worker-1 (10.0.0.1) 8."


@pytest.mark.parametrize(
    ("broken", "name", "state", "words"),
    [
        (replace(NODE, facts=None, problem="it ran no task within 60 s"), "nodes", State.MISSING, "raylet log"),
        (replace(NODE, facts=replace(FACTS, sagascript="0.0.9")), "versions", State.MISSING, "the same image"),
        (replace(NODE, skew_s=SKEW_WARN_S), "clocks", State.WARN, "1.0 s ahead"),
        (replace(NODE, skew_s=-SKEW_MISSING_S), "clocks", State.MISSING, "10.0 s behind. Run a time service"),
        (replace(NODE, slots=0.0), "slots", State.MISSING, "minReplicas of the CPU group"),
        (replace(NODE, slots=64.0), "slots", State.WARN, "64 slots on 8 cores"),
        (replace(NODE, gpus=1.0), "GPUs", State.MISSING, "device plugin"),
        (replace(NODE, facts=replace(FACTS, driver_problem="no device")), "GPUs", State.WARN, "nvidia-smi fails"),
        (replace(GPU, slots=8.0, gpus=0.0), "GPUs", State.WARN, "Set num-gpus"),
        (replace(NODE, facts=replace(FACTS, models=None)), "model cache", State.WARN, "Mount it there"),
        (replace(NODE, facts=replace(FACTS, models=())), "model cache", State.WARN, "models pull NAME"),
        (replace(NODE, facts=replace(FACTS, programs=())), "programs", State.MISSING, "no ffmpeg on worker-1"),
        (replace(NODE, facts=replace(FACTS, storage_problem="refused")), "storage on nodes", State.MISSING, "bucket"),
        (replace(NODE, facts=replace(FACTS, work_problem="/work: full")), "work folder", State.MISSING, "WORK_DIR"),
    ],
)
def test_what_is_wrong_with_a_node_is_told(broken: NodeReport, name: str, state: State, words: str) -> None:
    (finding,) = [check for check in judge([broken]) if check.name == name]
    assert finding.state is state, finding
    assert words in finding.sentence
    assert "10.0.0.1" in finding.sentence or name in ("slots", "model cache") or "10.0.0.2" in finding.sentence


def test_nodes_with_other_models_are_named() -> None:
    bare = replace(NODE, address="10.0.0.3", facts=replace(FACTS, host="worker-3", models=()))
    (finding,) = [check for check in judge([NODE, bare]) if check.name == "model cache"]
    assert "worker-3 (10.0.0.3) lacks whisper-small" in finding.sentence


def test_models_of_one_name_with_other_content_are_told() -> None:
    other = replace(NODE, address="10.0.0.3", facts=replace(FACTS, host="worker-3", models=(("whisper-small", "x"),)))
    (finding,) = [check for check in judge([NODE, GPU, other]) if check.name == "model cache"]
    assert "whisper-small holds other files on worker-3 (10.0.0.3)" in finding.sentence


def test_a_node_that_runs_no_model_needs_no_models_folder() -> None:
    head = replace(NODE, address="10.0.0.9", slots=0.0, is_head=True, facts=replace(FACTS, models=None, programs=()))
    assert {check.state for check in judge([NODE, head])} == {State.OK}


def test_other_versions_of_programs_are_told_with_their_nodes() -> None:
    old = replace(FACTS, host="worker-3", programs=(("ffmpeg", "7.1"), ("ctranslate2", "4.6.0")))
    (finding,) = [c for c in judge([NODE, replace(NODE, address="10.0.0.3", facts=old)]) if c.name == "programs"]
    assert finding.state is State.WARN
    assert "ffmpeg is 5.1.6 on worker-1 (10.0.0.1) and 7.1 on worker-3 (10.0.0.3)" in finding.sentence
    bare = replace(GPU, address="10.0.0.4", facts=replace(GPU_FACTS, host="gpu-2", programs=FACTS.programs))
    (finding,) = [check for check in judge([NODE, GPU, bare]) if check.name == "programs"]
    assert "torch is missing on gpu-2 (10.0.0.4)" in finding.sentence


def test_a_digest_follows_the_content(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    weights = tmp_path / "model" / "model.bin"
    weights.write_bytes(bytes(3 * 2**20))
    first = digest(tmp_path)
    (tmp_path / ".lock").touch()
    assert digest(tmp_path) == first
    weights.write_bytes(bytes(3 * 2**20 - 1) + b"x")
    assert digest(tmp_path) != first


def test_a_node_tells_its_own_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path))
    programs = dict(look(NodeLook("check/none", b"")).programs)
    assert {"ffmpeg", "ctranslate2"} <= programs.keys()
    assert programs["ctranslate2"] == importlib.metadata.version("ctranslate2")


def test_without_a_cluster_the_only_finding_says_what_to_do(tmp_path: Path) -> None:
    (finding,) = check_ray(ClusterSettings(data_dir=tmp_path, ray_address="127.0.0.1:1"))
    assert (finding.name, finding.state) == ("Ray", State.MISSING)
    assert "SAGASCRIPT_RAY_ADDRESS" in finding.sentence


def test_different_drivers_are_told() -> None:
    other = replace(GPU, address="10.0.0.4", facts=replace(GPU_FACTS, drivers=("NVIDIA H100, 560.2",)))
    (finding,) = [check for check in judge([GPU, other, NODE]) if check.name == "GPUs"]
    assert finding.sentence == "The nodes have different drivers: 560.2, 570.1. Install the same one."


def test_a_node_that_drains_is_named_and_counts_no_more() -> None:
    leaving = replace(NODE, address="10.0.0.5", facts=None, slots=0.0, is_leaving=True)
    found = {check.name: check for check in judge([NODE, leaving])}
    assert {check.state for check in found.values()} == {State.OK}
    assert found["nodes"].sentence == "1 answer: worker-1 (10.0.0.1). 10.0.0.5 drains and takes no new work."
    assert found["slots"].sentence == "8 in all: worker-1 (10.0.0.1) 8."


def test_a_node_that_ended_without_notice_is_named_with_its_reason() -> None:
    assert judge_lost([]).state is State.OK
    finding = judge_lost([LostNode("worker-2", "10.0.0.2", 190.0, "health check failed.")])
    assert finding.state is State.WARN
    assert finding.sentence.startswith(
        "worker-2 (10.0.0.2) ended without notice 3 minutes ago: health check failed. Its files went on elsewhere."
    )
