"""Replicas that hang: seconds until another one took their place, and until the next result."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipelines.testing.four_tasks.cluster import four_tasks
from pipelines.testing.replicas import replica_of
from serve.application import report_on
from serve.core.client import ModelClient
from serve.tasks.registry import TASKS
from serve.testing.chat_endpoint import chat_endpoint
from serve.testing.chat_replies import every_line
from serve.testing.counted_task import CountedClient, CountedProfile, Hang, Piece
from serve.testing.tiny_models.archives import models_folder

WITHIN_S = 300.0
LOOK_S = 0.05


@dataclass(frozen=True, slots=True)
class Replacement:
    """Seconds from the hang on. `started_s`: Serve had started a replica in its place. `result_s`: the next result."""

    started_s: float
    result_s: float


def suspended(client: ModelClient[Any, Any], task: str) -> Replacement:
    """Suspend the replica of a task, which then does not answer at all."""
    client.describe()
    victim = replica_of(task)
    assert victim is not None
    os.kill(victim, signal.SIGSTOP)
    try:
        return _replacement(task, {victim}, client.describe)
    finally:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGCONT)


def hung(client: CountedClient, task: str, hang: Hang) -> Replacement:
    before = client.run(Piece("before", 0))
    client.submit(Piece("victim", 0, hang=hang))
    # A replica with one worker computes nothing else meanwhile.
    return _replacement(task, {before.replica}, lambda: client.run(Piece("after", 0)))


def _replacement(task: str, victims: set[int], request: Callable[[], object]) -> Replacement:
    begun = time.monotonic()
    # Requests until then wait in the replica that hangs.
    started_s = 0.0
    while not started_s:
        if time.monotonic() - begun > WITHIN_S:
            raise TimeoutError(f"The replica of {task} was not replaced.")
        found = replica_of(task)
        if found is not None and found not in victims and report_on(task).replicas:
            started_s = time.monotonic() - begun
        time.sleep(LOOK_S)
    request()
    return Replacement(started_s, time.monotonic() - begun)


@contextmanager
def every_task() -> Iterator[dict[str, ModelClient[Any, Any]]]:
    """A client for each of the four model tasks, with tiny models on a cluster of their own."""
    with tempfile.TemporaryDirectory(prefix="health-") as name:
        folder = Path(name)
        models = models_folder(folder / "models")
        with chat_endpoint(every_line) as endpoint, four_tasks(folder / "installation", models, endpoint):
            clients = {each.task.name: ModelClient[Any, Any](each.task, deadline_s=WITHIN_S) for each in TASKS}
            try:
                yield clients
            finally:
                for client in clients.values():
                    client.close()


def counted(folder: Path, **fields: Any) -> CountedProfile:
    return CountedProfile(folder=folder, num_cpus=0.1, workers=1, **fields)
