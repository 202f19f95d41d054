"""What each replica of a model uses, as it reports itself to the cluster every few seconds.

Serve's public status counts replicas and names none, so each says for itself where it runs and what it takes.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import ray
import structlog
from ray import serve as ray_serve
from ray.exceptions import RayError
from ray.serve.exceptions import RayServeException

from serve.core.capability_store import publish_replica, remove_replica
from serve.core.messages import EngineInfo
from serve.core.replica_messages import BatchLimits, GpuMemory, ReplicaReport

log = structlog.get_logger(__name__)

EVERY_S = 10.0
NVIDIA_SMI_S = 10.0
MIB = 1024 * 1024
KIB = 1024


@dataclass(frozen=True, slots=True)
class Holding:
    """What a replica holds now; `is_busy` while it works on something."""

    info: EngineInfo
    is_busy: bool
    limits: BatchLimits


class ReplicaReporter:
    """A thread that reports until `stop`."""

    def __init__(self, task: str, replica_id: str, holding: Callable[[], Holding]) -> None:
        self._task = task
        self._id = replica_id
        self._holding = holding
        self._stop = threading.Event()
        self._wake = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._report_until_stopped, name="replica-report", daemon=True).start()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()

    def report_now(self) -> None:
        """Report at once instead of at the next turn."""
        self._wake.set()

    def _report_until_stopped(self) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            try:
                publish_replica(self._task, self._report(number))
            except RayError as error:
                log.warning("replica.not_reported", task=self._task, error=type(error).__name__)
            self._wake.wait(EVERY_S)
            self._wake.clear()
        try:
            remove_replica(self._task, self._id)
        except RayError:
            # Readers drop a replica that reports nothing more.
            log.info("replica.left_report", task=self._task)

    def _report(self, number: int) -> ReplicaReport:
        holding = self._holding()
        return ReplicaReport(
            id=self._id,
            number=number,
            node=socket.gethostname(),
            address=ray.util.get_node_ip_address(),  # type: ignore[no-untyped-call]
            engine=holding.info.engine,
            model=holding.info.model,
            device=holding.info.device,
            is_busy=holding.is_busy,
            memory=memory_of(os.getpid()),
            gpu=gpu_memory(ray.get_gpu_ids()),
            limits=holding.limits,
        )


def start_reporter(task: str, holding: Callable[[], Holding]) -> ReplicaReporter | None:
    """Report this process as a replica; None where it is none, as in the command line's own runs."""
    replica_id = own_replica_id()
    if not replica_id:
        return None
    reporter = ReplicaReporter(task, replica_id, holding)
    reporter.start()
    return reporter


def own_replica_id() -> str:
    """The id under which this process reports itself; empty where it is no replica."""
    try:
        return str(ray_serve.get_replica_context().replica_id.unique_id)
    except RayServeException:
        return ""


def memory_of(pid: int) -> int | None:
    """Bytes of a process and those below it, shared pages divided among them; None on systems without /proc."""
    try:
        total = _proportional(pid)
    except OSError:
        return None
    for child in _below(pid):
        # It may have ended since, or wait for its parent.
        with suppress(OSError):
            total += _proportional(child)
    return total


def _proportional(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name == "Pss":
            return int(rest.split()[0]) * KIB
    return 0


def _below(pid: int) -> Iterator[int]:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        found: list[int] = []
        with suppress(OSError):
            found = [int(child) for child in children.read_text().split()]
        for child in found:
            yield child
            yield from _below(child)


def gpu_memory(ids: Sequence[int | str]) -> GpuMemory | None:
    """The memory of these GPUs, whoever uses it; None without any, or where `nvidia-smi` does not say."""
    program = shutil.which("nvidia-smi")
    if not ids or program is None:
        return None
    query = [program, "--query-gpu=memory.used,memory.total", "--format=csv,noheader,nounits"]
    try:
        answer = subprocess.run(
            [*query, "-i", ",".join(map(str, ids))], capture_output=True, text=True, timeout=NVIDIA_SMI_S, check=True
        )
        rows = [[int(value) for value in line.split(",")] for line in answer.stdout.splitlines()]
        return GpuMemory(used=sum(row[0] for row in rows) * MIB, total=sum(row[1] for row in rows) * MIB)
    except (subprocess.SubprocessError, OSError, ValueError, IndexError) as error:
        log.debug("replica.gpu_unknown", error=str(error))
        return None
