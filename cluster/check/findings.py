"""Judges what the nodes of a cluster told: one finding for each subject, which names the nodes and what to do."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable, Sequence

from cluster.check.node import FFMPEG, NodeFacts, NodeReport
from cluster.doctor import Check, State
from cluster.ray.nodes import LostNode
from cluster.resources import LEAST_SLOTS

SKEW_WARN_S = 1.0
SKEW_MISSING_S = 10.0
"""Leases last 30 s and are renewed every 10 s: a clock this far off makes a live attempt look dead."""


def judge(reports: Sequence[NodeReport]) -> list[Check]:
    nodes = [node for node in reports if not node.is_leaving]
    answering = [node for node in nodes if node.facts is not None]
    found = [_answers(nodes, [node for node in reports if node.is_leaving])]
    if answering:
        found += [_versions(answering), _programs(answering), _clocks(answering)]
    found += [_slots(nodes)]
    if answering:
        found += [_gpus(answering), _models(answering), _storage(answering), _work(answering)]
    return found


def judge_lost(nodes: Sequence[LostNode]) -> Check:
    if not nodes:
        return Check("lost nodes", State.OK, "None ended without notice in the last hour.")
    told = "; ".join(
        f"{node.host} ({node.address}) ended without notice {_minutes(node.ago_s)} ago: {node.reason.rstrip('.')}"
        for node in nodes
    )
    advice = "Its files went on elsewhere. Look at the memory and the kernel log of that machine."
    return Check("lost nodes", State.WARN, f"{told}. {advice}")


def _minutes(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def _answers(nodes: Sequence[NodeReport], leaving: Sequence[NodeReport]) -> Check:
    left = f" {_names(leaving)} drains and takes no new work." if len(leaving) == 1 else ""
    if len(leaving) > 1:
        left = f" {_names(leaving)} drain and take no new work."
    silent = [f"{node.name}: {node.problem}" for node in nodes if node.facts is None]
    if silent:
        advice = "Look at the node's raylet log and memory, and restart it."
        return Check(
            "nodes", State.MISSING, f"{_of(silent, nodes)} cannot be used. {'; '.join(silent)}. {advice}{left}"
        )
    return Check("nodes", State.OK, f"{len(nodes)} answer: {_names(nodes)}.{left}")


def _versions(nodes: Sequence[NodeReport]) -> Check:
    own = (importlib.metadata.version("sagascript"), importlib.metadata.version("ray"), platform.python_version())
    other = [f"{node.name} has {_versions_of(_facts(node))}" for node in nodes if _version_key(_facts(node)) != own]
    here = "Sagascript {}, Ray {}, Python {}".format(*own)
    if other:
        advice = f"This process has {here}. Use the same image everywhere."
        return Check("versions", State.MISSING, f"{'; '.join(other)}. {advice}")
    return Check("versions", State.OK, f"{here} everywhere.")


def _programs(nodes: Sequence[NodeReport]) -> Check:
    """ffmpeg on the nodes that offer slots, and libraries of models wherever they are installed."""
    without = [node for node in nodes if node.slots and FFMPEG not in dict(_facts(node).programs)]
    if without:
        advice = "Install it there, or set SAGASCRIPT_FFMPEG."
        return Check("programs", State.MISSING, f"There is no ffmpeg on {_names(without)}. {advice}")
    named: dict[str, dict[str, list[NodeReport]]] = {}
    for node in nodes:
        for name, version in _facts(node).programs:
            named.setdefault(name, {}).setdefault(version, []).append(node)
    differing = [
        f"{name} is {' and '.join(f'{version} on {_names(having)}' for version, having in sorted(versions.items()))}"
        for name, versions in named.items()
        if len(versions) > 1
    ]
    # Images with and without a GPU hold other libraries; among equals each should have them.
    for kind in (True, False):
        alike = [node for node in nodes if bool(node.gpus) is kind and (node.gpus or node.slots)]
        for name in named:
            lacking = [node for node in alike if name not in dict(_facts(node).programs)]
            if lacking and len(lacking) < len(alike):
                differing.append(f"{name} is missing on {_names(lacking)}")
    if differing:
        advice = "The same file may come out differently there. Use the same image for nodes of one kind."
        return Check("programs", State.WARN, f"{'; '.join(differing)}. {advice}")
    told = ", ".join(f"{name} {version}" for name, versions in named.items() for version in versions)
    return Check("programs", State.OK, f"{told or 'None'}, the same wherever they are.")


def _clocks(nodes: Sequence[NodeReport]) -> Check:
    off = [(abs(node.skew_s), node) for node in nodes if node.skew_s is not None and abs(node.skew_s) >= SKEW_WARN_S]
    if not off:
        return Check("clocks", State.OK, f"All within {SKEW_WARN_S:.0f} s of this one.")
    told = "; ".join(f"{node.name} is {_direction(node.skew_s or 0.0)}" for _, node in off)
    state = State.MISSING if max(skew for skew, _ in off) >= SKEW_MISSING_S else State.WARN
    return Check("clocks", state, f"{told}. Run a time service such as chrony on the machines.")


def _slots(nodes: Sequence[NodeReport]) -> Check:
    total = sum(node.slots for node in nodes)
    if total <= 0:
        advice = "Start a worker with CPU slots (`ray start --num-cpus`, or minReplicas of the CPU group)."
        return Check("slots", State.MISSING, f"No node offers a CPU slot, so no file is worked on. {advice}")
    crowded = [
        f"{node.name} offers {node.slots:g} slots on {_facts(node).cores} cores"
        for node in nodes
        if node.facts is not None and node.slots > 2 * max(LEAST_SLOTS, node.facts.cores)
    ]
    told = "; ".join(f"{node.name} {node.slots:g}" for node in nodes if node.slots)
    if crowded:
        advice = "Work there is slow and may time out. Set num-cpus to the cores of the node."
        return Check("slots", State.WARN, f"{'; '.join(crowded)}. {advice}")
    return Check("slots", State.OK, f"{total:g} in all: {told}.")


def _gpus(nodes: Sequence[NodeReport]) -> Check:
    problems: list[str] = []
    state = State.OK
    for node in nodes:
        facts = _facts(node)
        if node.gpus > len(facts.drivers):
            state = State.MISSING
            why = facts.driver_problem or "its driver shows fewer"
            problems.append(
                f"Ray counts {node.gpus:g} GPUs on {node.name}, but {len(facts.drivers)} can be used ({why}). "
                f"Check the driver, the container toolkit and the device plugin"
            )
        elif facts.driver_problem:
            state = max(state, State.WARN, key=_order)
            problems.append(f"nvidia-smi fails on {node.name}: {facts.driver_problem}. Check the driver")
        elif len(facts.drivers) > node.gpus and not node.gpus:
            state = max(state, State.WARN, key=_order)
            problems.append(f"{node.name} has {len(facts.drivers)} GPUs that Ray does not offer. Set num-gpus there")
    versions = {driver.rpartition(", ")[2] for node in nodes for driver in _facts(node).drivers}
    if len(versions) > 1:
        state = max(state, State.WARN, key=_order)
        problems.append(f"The nodes have different drivers: {', '.join(sorted(versions))}. Install the same one")
    if problems:
        return Check("GPUs", state, f"{'; '.join(problems)}.")
    seen = [f"{node.name}: {', '.join(_facts(node).drivers)}" for node in nodes if _facts(node).drivers]
    return Check("GPUs", State.OK, f"{'; '.join(seen)}." if seen else "None. Models run on processors.")


def _models(nodes: Sequence[NodeReport]) -> Check:
    # A head or a sidecar without slots runs no model.
    nodes = [node for node in nodes if node.slots or node.gpus] or nodes
    folder = _facts(nodes[0]).models_folder
    absent = [node for node in nodes if _facts(node).models is None]
    if absent:
        advice = "Mount it there, or set SAGASCRIPT_MODELS_DIR."
        return Check("model cache", State.WARN, f"{folder} does not exist on {_names(absent)}. {advice}")
    held = [(node, dict(_facts(node).models or ())) for node in nodes]
    every = sorted(set().union(*(models for _, models in held)))
    if not every:
        advice = "Fill it with `sagascript models pull NAME`; until then the built-in engine transcribes, in English."
        return Check("model cache", State.WARN, f"{folder} is empty on every node. {advice}")
    told = [
        f"{node.name} lacks {', '.join(lacking)}"
        for node, models in held
        if (lacking := sorted(set(every) - {*models}))
    ]
    for name in every:
        contents = [models[name] for _, models in held if name in models]
        usual = max(contents, key=contents.count)
        other = [node for node, models in held if models.get(name, usual) != usual]
        if other:
            told.append(f"{name} holds other files on {_names(other)}")
    if told:
        advice = "Mount the same folder on all nodes."
        return Check("model cache", State.WARN, f"{folder} differs: {'; '.join(told)}. {advice}")
    return Check("model cache", State.OK, f"{folder} holds {', '.join(every)} on every node, with the same content.")


def _storage(nodes: Sequence[NodeReport]) -> Check:
    failing = [f"{node.name}: {_facts(node).storage_problem}" for node in nodes if _facts(node).storage_problem]
    if failing:
        advice = "All nodes need the same bucket or shared folder, its credentials and a way to it."
        return Check("storage on nodes", State.MISSING, f"{'; '.join(failing)}. {advice}")
    return Check("storage on nodes", State.OK, "Every node reads what this process writes.")


def _work(nodes: Sequence[NodeReport]) -> Check:
    failing = [f"{node.name}: {_facts(node).work_problem}" for node in nodes if _facts(node).work_problem]
    if failing:
        advice = "Set SAGASCRIPT_WORK_DIR to a folder that can be written."
        return Check("work folder", State.MISSING, f"{'; '.join(failing)}. {advice}")
    return Check("work folder", State.OK, "It can be written on every node.")


def _facts(node: NodeReport) -> NodeFacts:
    assert node.facts is not None
    return node.facts


def _version_key(facts: NodeFacts) -> tuple[str, str, str]:
    return (facts.sagascript, facts.ray, facts.python)


def _versions_of(facts: NodeFacts) -> str:
    return f"Sagascript {facts.sagascript}, Ray {facts.ray}, Python {facts.python}"


def _direction(skew_s: float) -> str:
    return f"{abs(skew_s):.1f} s {'ahead' if skew_s > 0 else 'behind'}"


def _of(some: Sequence[object], nodes: Sequence[NodeReport]) -> str:
    return f"{len(some)} of {len(nodes)} nodes"


def _names(nodes: Iterable[NodeReport]) -> str:
    return ", ".join(node.name for node in nodes)


def _order(state: State) -> int:
    return (State.OK, State.WARN, State.MISSING).index(state)
