"""A cluster that grows with waiting sound and waiting jobs, and shrinks again. Ray's fake provider makes its nodes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from api.platform.jobs.dispatch.demand import Demand
from api.platform.jobs.states import JobKind, JobState
from api.testing.jobs.installation import only_sqlite
from api.testing.jobs.job_queue import Jobs
from api.testing.jobs.odd_types import STRANGE_TYPES
from cluster.ray.nodes import read_nodes
from cluster.ray.runtime import announced_address
from cluster.settings import ClusterSettings
from cluster.testing.fake_provider import add_autoscaler
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ray_cluster import ray_cluster
from serve.application import report_on, shutdown, start, wait_ready
from serve.core.replica.deployment import model_application
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.task import SPEECH
from serve.testing.held_speech import HeldTranscriber

pytestmark = pytest.mark.long

SLOTS = 2
WINDOW_S = 10
WINDOW = b"\0\0" * 16_000 * WINDOW_S
REPLICAS = 3
WINDOWS = 15
"""150 s of sound. With at most 50 s in each, three replicas; one window runs and does not wait."""
PROFILE = {"models": ["tiny"], "hub": False, "num_cpus": 1, "max_replicas": REPLICAS, "target_queued_audio_s": 50}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClusterSettings]:
    folder = tmp_path_factory.mktemp("growing")
    with ray_cluster(folder, partial(add_autoscaler, config=folder / "autoscaler.json", slots=SLOTS)) as settings:
        yield settings


def until(fits: Callable[[], bool], what: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fits():
        assert time.monotonic() < deadline, what()
        time.sleep(0.2)


def slots(settings: ClusterSettings) -> float:
    return sum(node.total for node in read_nodes(address_of(settings)) if not node.is_leaving)


def address_of(settings: ClusterSettings) -> str:
    address = announced_address(settings)
    assert address is not None
    return address


def test_replicas_and_nodes_follow_the_sound_that_waits(cluster: ClusterSettings, tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    profile = TranscriptionProfile.model_validate({**PROFILE, "scale_down_after_s": 1})
    try:
        start({SPEECH.name: model_application(HeldTranscriber, profile, profile, hold)})
        # The head has no slot: the first replica already needs a new node.
        wait_ready(PATIENCE_S)
        assert slots(cluster) == SLOTS
        with TranscriberClient(in_flight=WINDOWS, deadline_s=PATIENCE_S) as client:
            futures = [client.submit(AudioWindow("file", number, 0, WINDOW)) for number in range(WINDOWS)]
            until(lambda: report_on(SPEECH.name).replicas == REPLICAS, lambda: report_on(SPEECH.name))
            assert slots(cluster) == 2 * SLOTS
            hold.unlink()
            assert [future.result(PATIENCE_S).index for future in futures] == list(range(WINDOWS))
            until(lambda: report_on(SPEECH.name).replicas == 1, lambda: report_on(SPEECH.name))
    finally:
        shutdown()
    until(lambda: slots(cluster) == 0, lambda: read_nodes(address_of(cluster)))


@only_sqlite
async def test_nodes_follow_the_jobs_that_wait(cluster: ClusterSettings, jobs: Jobs) -> None:
    """Jobs wait in the database, where the autoscaler cannot see them."""
    demand = Demand(jobs.database, STRANGE_TYPES, address_of(cluster))
    ids = [await jobs.put(f"file {number}", kind=JobKind.ENCODING) for number in range(2 * SLOTS)]
    await demand()
    until(lambda: slots(cluster) == 2 * SLOTS, lambda: read_nodes(address_of(cluster)))
    for job_id in ids:
        await jobs.change(job_id, state=JobState.DONE)
    await demand()
    until(lambda: slots(cluster) == 0, lambda: read_nodes(address_of(cluster)))
