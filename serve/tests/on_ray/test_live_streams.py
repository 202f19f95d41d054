"""Sound of one recording reaches the replica that has its beginning, however many replicas there are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.application import start, wait_ready
from serve.core.client import ModelClient
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.deployment import model_application
from serve.tasks.live.client import LiveClient
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.testing.live_letters import LettersReplica

RECORDINGS = 6


@pytest.fixture(scope="module")
def client() -> Iterator[ModelClient[LiveSound, LiveText]]:
    profile = LiveProfile(num_cpus=0.1, workers=1, replicas=2)
    start({LIVE_TASK.name: model_application(LettersReplica, profile, profile, keeps_state=LIVE_TASK.keeps_state)})
    wait_ready(PATIENCE_S, tasks=[LIVE_TASK])
    with LiveClient() as made:
        yield made


def text(client: ModelClient[LiveSound, LiveText], sound: LiveSound) -> str:
    return "".join(word.text for word in client.run(sound).words)


def test_every_recording_stays_with_one_of_two_replicas(client: ModelClient[LiveSound, LiveText]) -> None:
    spoken = dict.fromkeys((f"recording {number}" for number in range(RECORDINGS)), "")
    for at, letter in enumerate("history"):
        for stream in spoken:
            spoken[stream] = text(client, LiveSound(stream, 0, at, letter.encode() * 2))
    replicas = {found.partition(":")[0] for found in spoken.values()}
    assert len(replicas) == 2, "both have work"
    assert {found.partition(":")[2] for found in spoken.values()} == {"history"}


def test_a_replica_without_the_beginning_says_so(client: ModelClient[LiveSound, LiveText]) -> None:
    with pytest.raises(EngineRefused) as refused:
        client.run(LiveSound("unheard", 0, 3, b"aa"))
    assert refused.value.problem == EngineProblem.LOST_STATE
