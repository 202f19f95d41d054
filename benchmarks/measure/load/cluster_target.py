"""The Serve application through the product's client, on a cluster of this process or on a running installation's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.engine_target import refusal_of
from benchmarks.measure.load.own_cluster import cluster
from serve.application import deploy, shutdown, wait_ready
from serve.core.messages import EngineInfo, EngineRefused
from serve.profile import profile_of
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.messages import DecodeOptions

IN_FLIGHT = 512
"""Requests on their way at once. The flow's client sends fewer; here each request is another file."""
READY_S = 600.0


class ClusterTarget:
    """Refused requests are repeated by the client, as in the product: a caller sees them as waiting."""

    def __init__(self, client: TranscriberClient, options: DecodeOptions) -> None:
        self._client = client
        self._options = options

    async def transcribe(self, clip: Clip, number: int) -> None:
        try:
            await asyncio.wrap_future(self._client.submit(clip.window(f"request-{number}", self._options)))
        except EngineRefused as refused:
            raise refusal_of(refused) from None


@contextmanager
def own_application(
    configuration: Configuration, options: DecodeOptions, *, patience_s: float
) -> Iterator[tuple[ClusterTarget, EngineInfo]]:
    """Start Ray below this process and deploy this configuration."""
    with own_client(configuration, patience_s=patience_s) as client:
        yield ClusterTarget(client, options), client.describe()


@contextmanager
def own_client(configuration: Configuration, *, patience_s: float) -> Iterator[TranscriberClient]:
    """A client of this configuration on a cluster of this process. It waits `patience_s` for an answer."""
    with cluster():
        profile = profile_of("benchmark", {"transcription": configuration.profile})
        deploy(profile, settings=configuration.settings, models_root=configuration.models_root)
        try:
            wait_ready(READY_S)
            with TranscriberClient(in_flight=IN_FLIGHT, deadline_s=patience_s) as client:
                yield client
        finally:
            shutdown()


@contextmanager
def running_application(options: DecodeOptions, *, patience_s: float) -> Iterator[tuple[ClusterTarget, EngineInfo]]:
    """Use the installation that this process's settings name. Raises RayUnreachable."""
    from cluster.ray.runtime import connect

    connect()
    with TranscriberClient(in_flight=IN_FLIGHT, deadline_s=patience_s) as client:
        yield ClusterTarget(client, options), client.describe()
