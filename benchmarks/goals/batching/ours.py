"""Our side: the deployment with its client, or the inside of its replica, on a Ray cluster of this process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ray
from tokenizers import Tokenizer

from benchmarks.measure.load.own_cluster import CORES
from serve.application import deploy, shutdown, wait_ready
from serve.core.models.processor import KEPT_MEMORY
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.core.settings import ModelSettings
from serve.profile import profile_of
from serve.tasks.transcription.client import TranscriberClient
from serve.tasks.transcription.engine import WindowOutcome
from serve.tasks.transcription.messages import AudioWindow, WindowResult
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.task import SPEECH
from serve.tasks.transcription.whisper.engine import WhisperEngine


class Replica:
    """The inside of a replica, scheduler and engine, called without client and Serve."""

    def __init__(self, model: Path, *, adaptive: bool) -> None:
        self.engine = WhisperEngine(
            model,
            name=model.name,
            reason="Benchmark.",
            device="cpu",
            compute_type="int8",
            parallel=CORES,
            adaptive=adaptive,
        )
        # The comparison needs batches on every core; a spare worker would add one without a free core.
        self.engine.spare_workers = 0

    async def transcribe(self, windows: Sequence[AudioWindow], *, max_batch: int) -> list[WindowResult]:
        """Send all at once, as from that many callers."""
        limits = BatchLimits(max_batch=max_batch, max_queued=1_000_000_000)
        batcher: Batcher[AudioWindow, WindowResult] = Batcher(SPEECH, self.engine, limits)
        try:
            return await asyncio.gather(*map(batcher.submit, windows))
        finally:
            batcher.close()

    def in_one_call(self, windows: Sequence[AudioWindow]) -> list[WindowOutcome]:
        """The engine alone, on one core."""
        return self.engine.run(windows)

    def seconds_of_call(self, windows: Sequence[AudioWindow]) -> float:
        begun = time.perf_counter()
        self.engine.run(windows)
        return time.perf_counter() - begun


class Remote:
    """A `Replica` in a process with the environment of the deployment's replicas."""

    def __init__(self, model: Path, *, adaptive: bool) -> None:
        kind = ray.remote(num_cpus=0.5, runtime_env={"env_vars": KEPT_MEMORY})(Replica)
        self._actor: Any = kind.remote(model, adaptive=adaptive)
        self._tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))

    def transcribe(self, windows: Sequence[AudioWindow], *, max_batch: int) -> list[WindowResult]:
        results: list[WindowResult] = ray.get(self._actor.transcribe.remote(windows, max_batch=max_batch))
        return results

    def in_one_call(self, windows: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome] = ray.get(self._actor.in_one_call.remote(windows))
        return outcomes

    def seconds_of_call(self, windows: Sequence[AudioWindow]) -> float:
        return float(ray.get(self._actor.seconds_of_call.remote(windows)))

    def text_tokens(self, results: Sequence[WindowResult]) -> int:
        return text_tokens(self._tokenizer, results)

    def close(self) -> None:
        ray.kill(self._actor)


def text_tokens(tokenizer: Tokenizer, results: Sequence[WindowResult]) -> int:
    """The number of tokens in the texts of the results."""
    texts = [segment.text for result in results for segment in result.segments]
    return sum(len(tokenizer.encode(f" {text}", add_special_tokens=False).ids) for text in texts)


@contextmanager
def replica(model: Path, *, adaptive: bool) -> Iterator[Remote]:
    """A loaded replica on the cluster that `cluster` started."""
    made = Remote(model, adaptive=adaptive)
    try:
        yield made
    finally:
        made.close()


@contextmanager
def deployed(model: Path, *, max_batch: int) -> Iterator[TranscriberClient]:
    """Deploy this model on that cluster; yield a client."""
    profile = TranscriptionProfile(engine="whisper", models=("tiny",), hub=False, num_cpus=0.5, max_batch=max_batch)
    settings = ModelSettings(whisper_model=str(model), allow_hub=False)
    deploy(profile_of("benchmark", {"transcription": profile}), settings=settings, models_root=model.parent)
    try:
        wait_ready()
        with TranscriberClient(in_flight=4 * max_batch) as client:
            client.describe()
            yield client
    finally:
        shutdown()
