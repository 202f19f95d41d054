"""Sound of one recording reaches the replica that has its beginning, however many replicas there are."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from uuid import uuid4

import pytest

from cluster.testing.patience import PATIENCE_S
from cluster.testing.processes import descendants
from serve.application import start, wait_ready
from serve.core.client import ModelClient
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.deployment import model_application
from serve.tasks.live.client import LiveClient
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.testing.live_letters import LettersReplica


@pytest.fixture(scope="module")
def client() -> Iterator[ModelClient[LiveSound, LiveText]]:
    profile = LiveProfile(num_cpus=0.1, workers=1, replicas=2, max_utterances=1_000)
    start({LIVE_TASK.name: model_application(LettersReplica, profile, profile, keeps_state=LIVE_TASK.keeps_state)})
    wait_ready(PATIENCE_S, tasks=[LIVE_TASK])
    with LiveClient() as made:
        yield made


def live_replicas() -> list[int]:
    """The numbers of their processes."""
    return [
        pid for pid in descendants(os.getpid()) if b"ServeReplica:live" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def text(client: ModelClient[LiveSound, LiveText], sound: LiveSound) -> str:
    return "".join(word.text for word in client.run(sound).words)


def by_replica(client: ModelClient[LiveSound, LiveText], letter: str) -> dict[int, list[str]]:
    """Recordings that have begun with a letter, so many that both replicas have one; by the number of the process."""
    found: dict[int, list[str]] = {}
    while len(found) < 2:
        stream = uuid4().hex
        process = text(client, LiveSound(stream, 0, 0, letter.encode() * 2)).partition(":")[0]
        found.setdefault(int(process), []).append(stream)
    return found


@pytest.mark.long
def test_a_recording_stays_with_a_replica_that_does_not_answer_at_once(
    client: ModelClient[LiveSound, LiveText],
) -> None:
    """The first test, so that Serve's router knows neither replica."""
    frozen = live_replicas()[0]
    streams = [uuid4().hex for _ in range(16)]
    with ThreadPoolExecutor(len(streams)) as threads:
        os.kill(frozen, signal.SIGSTOP)
        try:
            first = {threads.submit(text, client, LiveSound(stream, 0, 0, b"aa")): stream for stream in streams}
            # The others are at work, and these longer than the router waits for an answer.
            wait(first, timeout=3)
        finally:
            os.kill(frozen, signal.SIGCONT)
        for answer, stream in first.items():
            spoken = answer.result(PATIENCE_S)
            assert text(client, LiveSound(stream, 0, 1, b"bb")) == f"{spoken}b"


def test_every_recording_stays_with_one_of_two_replicas(client: ModelClient[LiveSound, LiveText]) -> None:
    for process, streams in by_replica(client, "h").items():
        for at, letter in enumerate("istory", 1):
            spoken = {text(client, LiveSound(stream, 0, at, letter.encode() * 2)) for stream in streams}
            assert spoken == {f"{process}:{'history'[: at + 1]}"}


def test_a_replica_without_the_beginning_says_so(client: ModelClient[LiveSound, LiveText]) -> None:
    with pytest.raises(EngineRefused) as refused:
        client.run(LiveSound("unheard", 0, 3, b"aa"))
    assert refused.value.problem == EngineProblem.LOST_STATE
