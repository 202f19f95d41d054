"""Picks the model of a list that suits a machine: the best one that leaves room and time for everything else."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cluster.resources import cores, memory_bytes

GB = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts that decide on a model. `gpu_memory` is that of the smallest GPU in bytes, 0 without one."""

    cores: int
    memory: int
    gpu_memory: int


@dataclass(frozen=True, slots=True)
class _Needs:
    """What a machine must have before we pick a model unasked. None: no machine of that class will do."""

    cores: int | None
    memory: int
    gpu_memory: int


_NEEDS = {
    # On a processor the large models are slower than speech, and their download is 1.6 GB and more.
    "large-v3-turbo": _Needs(None, 8 * GB, 6 * GB),
    "large-v3": _Needs(None, 8 * GB, 10 * GB),
    "medium": _Needs(None, 8 * GB, 5 * GB),
    # 484 MB, and about six times the work of `base`: on two cores it would delay the other files.
    "small": _Needs(4, 6 * GB, 2 * GB),
    # 145 MB.
    "base": _Needs(2, 2 * GB, 1 * GB),
    "tiny": _Needs(1, 0, 0),
}


def this_machine(device: str) -> Machine:
    """This machine; GPUs count only where `device` is "cuda"."""
    return Machine(cores(), memory_bytes() or 0, _gpu_memory() if device == "cuda" else 0)


def suitable(models: Sequence[str], machine: Machine) -> str:
    """The first of `models` (the best first) that suits the machine, else the last known one, else the first."""
    known = [name for name in models if name in _NEEDS]
    for name in known:
        needs = _NEEDS[name]
        if machine.memory < needs.memory:
            continue
        if machine.gpu_memory:
            if machine.gpu_memory >= needs.gpu_memory:
                return name
        elif needs.cores is not None and machine.cores >= needs.cores:
            return name
    return known[-1] if known else models[0]


def _gpu_memory() -> int:
    """Bytes of the smallest card; 0 where there is none. A program that did not answer is called again."""
    program = shutil.which("nvidia-smi")
    try:
        return 0 if program is None else _listed_memory(program)
    except subprocess.TimeoutExpired:
        return 0


@lru_cache
def _listed_memory(program: str) -> int:
    query = [program, "--query-gpu=memory.total", "--format=csv,noheader,nounits"]
    listed = subprocess.run(query, capture_output=True, text=True, timeout=15, check=False).stdout
    sizes = [int(line) * 1024**2 for line in listed.split() if line.isdigit()]
    return min(sizes, default=0)
