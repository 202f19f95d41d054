"""AI text as it runs in production: Ray tasks, the Writer deployment that starts on demand, an endpoint with a key."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray._private.worker
from ray import serve as ray_serve

from cluster.processes import command_line
from cluster.resources import WAITING_TASK_CPUS
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.tasks import Failed, run_attempt
from pipelines.messages.attempt import Result
from pipelines.messages.minutes import MINUTES, MinutesRequest, MinutesResult
from pipelines.testing.replicas import replica_of
from pipelines.testing.texts import long_talk, minutes_request
from pipelines.tests.on_serve.conftest import KEY
from serve.core.client import ModelClient
from serve.tasks.text.messages import TEXT
from serve.tasks.text.task import TEXT_WORK
from serve.testing.chat_endpoint import ChatEndpoint

LINES = long_talk(120)


def begin(name: str) -> Any:
    request: MinutesRequest = minutes_request("long", LINES)
    task = run_attempt.options(num_cpus=WAITING_TASK_CPUS, name=f"minutes {name}")
    return task.remote(MINUTES, request, name, 1, {})


def result(stream: Any) -> MinutesResult:
    last = [ray.get(reference) for reference in stream][-1]
    assert not isinstance(last, Failed), last
    assert isinstance(last, Result)
    assert isinstance(last.payload, MinutesResult)
    return last.payload


def is_whole(text: MinutesResult) -> bool:
    cited = {line for block in text.blocks for each in block.sentences for line in each.line_ids}
    return cited == {line.id for line in LINES}


@pytest.mark.long
def test_two_files_at_once_are_written_whole_by_a_replica_that_the_first_one_starts(endpoint: ChatEndpoint) -> None:
    endpoint.faults.slow_s = PATIENCE_S
    streams = [begin(f"file-{number}") for number in range(2)]
    wait_until(lambda: endpoint.most_at_once > 1)
    release(endpoint)
    assert all(is_whole(result(stream)) for stream in streams)
    assert endpoint.keys == {KEY}


def test_the_key_shows_in_no_argument_log_or_status_of_the_cluster() -> None:
    with ModelClient(TEXT_WORK, deadline_s=PATIENCE_S) as client:
        assert KEY not in repr(client.describe())
    own = [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]
    assert not [pid for pid in own if any(KEY in argument for argument in command_line(pid))]
    assert KEY not in repr(ray_serve.status())
    logs = [path for path in session_logs() if path.is_file()]
    assert logs
    assert not [path for path in logs if KEY in path.read_text(errors="replace")]


def session_logs() -> Iterator[Path]:
    node: Any = ray._private.worker._global_node
    folder = Path(node.get_logs_dir_path())
    assert folder.is_relative_to(tempfile.gettempdir())
    yield from folder.rglob("*")


@pytest.mark.long
def test_a_text_waits_while_the_endpoint_is_down(endpoint: ChatEndpoint) -> None:
    endpoint.faults.status, endpoint.faults.retry_after = 503, "0.2"
    before = len(endpoint.requests)
    stream = begin("down")
    wait_until(lambda: len(endpoint.requests) > before + 3)
    endpoint.faults.status = None
    assert is_whole(result(stream))


@pytest.mark.long
def test_a_text_survives_the_death_of_its_replica(endpoint: ChatEndpoint) -> None:
    endpoint.faults.slow_s = PATIENCE_S
    endpoint.faults.released.clear()
    before = len(endpoint.requests)
    stream = begin("killed")
    wait_until(lambda: len(endpoint.requests) > before)
    running = replica_of(TEXT)
    assert running is not None
    os.kill(running, signal.SIGKILL)
    release(endpoint)
    assert is_whole(result(stream))


def release(endpoint: ChatEndpoint) -> None:
    """Let the answers go that wait, and those that follow."""
    endpoint.faults.slow_s = 0.0
    endpoint.faults.released.set()


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
