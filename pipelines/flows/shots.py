"""The flow of kind `shots`: find where the picture of a video cuts."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from cluster.settings import get_cluster_settings
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.flows.ingest import stored_source
from pipelines.media.probe import probe
from pipelines.media.shots import STAGE, find_shots
from pipelines.messages.attempt import Attempt, Progress, Result, StageFailed
from pipelines.messages.requests import ShotsRequest
from pipelines.messages.results import ShotsResult

PHASE = "shots"
NO_PICTURE = Message("pipelines.flows.no_picture", "This file has no moving picture, so it has no shots.")


def run(request: ShotsRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of media read."""
    storage = open_storage(get_cluster_settings())
    with stored_source(storage, attempt, request.source_key) as path:
        facts = probe(path)
        if facts.video is None:
            raise StageFailed(STAGE, NO_PICTURE, retryable=False)
        yield Progress(PHASE, 0, facts.duration_ms, "media_ms")
        shots: list[int] = []
        with closing(find_shots(path, facts.video, facts.duration_ms, shots, attempt.work)) as reading:
            for done_ms in reading:
                yield Progress(PHASE, done_ms, facts.duration_ms, "media_ms")
        yield Result(ShotsResult(shots_ms=tuple(shots)))
