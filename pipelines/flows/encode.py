"""The flow of kind `encoding`: make a copy that browsers play when they cannot play the original."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from pipelines.flows.ingest import store_file, stored_source
from pipelines.media.playback import make_playback, rendition_of
from pipelines.media.probe import probe
from pipelines.messages.attempt import Attempt, Progress, Result
from pipelines.messages.requests import EncodeRequest
from pipelines.messages.results import EncodeResult

PHASE = "encoding"


def run(request: EncodeRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of media written."""
    storage = open_storage(get_cluster_settings())
    with stored_source(storage, attempt, request.source_key) as path:
        yield from _encode(path, attempt, storage)


def _encode(path: Path, attempt: Attempt, storage: Storage) -> Generator[Progress | Result, None, None]:
    facts = probe(path)
    rendition = rendition_of(facts)
    target = attempt.work / ("playback.mp4" if facts.video else "playback.m4a")
    yield Progress(PHASE, 0, facts.duration_ms, "media_ms")
    with closing(make_playback(path, facts, target, rendition)) as encoding:
        for done_ms in encoding:
            yield Progress(PHASE, min(done_ms, facts.duration_ms), facts.duration_ms, "media_ms")
    yield Result(
        EncodeResult(
            playback_key=store_file(storage, attempt, target),
            width=rendition.width,
            height=rendition.height,
            mime=rendition.mime,
        )
    )
