"""The `Transcriber` deployment: one speech engine behind Ray Serve, batched over all files in work."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import structlog
from ray import serve as ray_serve
from ray.serve import Application

from cluster.settings import get_cluster_settings
from serve.batching import BatchLimits, WindowBatcher
from serve.messages import AudioWindow, EngineInfo, EngineProblem, EngineRefused, LanguageGuess, WindowResult
from serve.profile import Profile, TranscriptionProfile
from serve.settings import ModelSettings
from serve.transcription.load import load_transcription
from serve.transcription.names import DEPLOYMENT_NAME
from serve.transcription.processor import KEPT_MEMORY

log = structlog.get_logger(__name__)

BROKEN_AFTER_FAILURES = 3
"""So many windows failing in a row mean a broken model or device: the replica is then replaced."""
ONGOING_REQUESTS = 512
"""Far more than a batch: the replica's own scheduler must see the windows of all files to be fair between them."""


@ray_serve.deployment(
    name=DEPLOYMENT_NAME,
    max_ongoing_requests=ONGOING_REQUESTS,
    health_check_period_s=5,
    health_check_timeout_s=10,
    graceful_shutdown_timeout_s=10,
)
class Transcriber:
    """A thin shell: the scheduler decides what runs together, the engine what was said."""

    def __init__(self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path) -> None:
        self._engine = load_transcription(profile, settings, models_root)
        self._batcher = WindowBatcher(
            self._engine.transcribe,
            key=self._engine.batch_key,
            limits=limits_of(profile),
            workers=self._engine.parallel,
            guests=self._engine.guests,
        )
        self._detecting = asyncio.Semaphore(self._engine.parallel)

    def reconfigure(self, user_config: dict[str, Any]) -> None:
        """New batch limits for a running replica: any fields of `BatchLimits`."""
        limits = BatchLimits(**user_config)
        # Where a batch saves nothing, its first result would only wait for its last one.
        self._batcher.limits = limits if self._engine.gains_from_batches else replace(limits, max_batch=1)

    def check_health(self) -> None:
        self._engine.rest()
        if self._batcher.failures_in_a_row >= BROKEN_AFTER_FAILURES:
            raise RuntimeError(f"The speech model failed on {self._batcher.failures_in_a_row} windows in a row.")
        if (seconds := self._batcher.patience.stuck_s()) is not None:
            log.error("replica.stuck", seconds=round(seconds, 1))
            raise RuntimeError(f"The speech model has not come back from one call for {seconds:.0f} seconds.")

    async def transcribe(self, window: AudioWindow) -> WindowResult:
        """What was said in the window. Raises EngineRefused."""
        return await self._batcher.submit(window)

    async def detect(self, window: AudioWindow) -> LanguageGuess:
        """Which languages the window may be in. Raises EngineRefused."""
        async with self._detecting:
            try:
                with self._batcher.patience.watch(audio_s=window.duration_ms / 1000):
                    return await asyncio.to_thread(self._engine.detect, window)
            except EngineRefused:
                raise
            except Exception as failure:
                raise EngineRefused(
                    EngineProblem.MODEL_FAILED, f"The speech model could not tell the language ({failure})."
                ) from failure

    async def describe(self) -> EngineInfo:
        """Which engine is loaded, and why."""
        return self._engine.info

    def __del__(self) -> None:
        # Serve calls this when the replica is stopped. A replica whose loading failed has nothing to end.
        if hasattr(self, "_batcher"):
            self._batcher.close()
            self._engine.close()


def limits_of(profile: TranscriptionProfile) -> BatchLimits:
    return BatchLimits(
        max_batch=profile.max_batch, wait_ms=profile.batch_wait_ms, max_queued_s=profile.max_queued_audio_s
    )


def build_app(profile: Profile, settings: ModelSettings | None = None, models_root: Path | None = None) -> Application:
    """The Serve application of a profile. Settings and the models folder are those of the process that builds it."""
    task = profile.transcription
    return Transcriber.options(  # type: ignore[attr-defined, no-any-return]
        num_replicas=task.replicas,
        max_queued_requests=task.max_queued_requests,
        ray_actor_options={
            "num_cpus": task.num_cpus,
            "num_gpus": task.num_gpus,
            "runtime_env": {"env_vars": KEPT_MEMORY if task.device == "cpu" else {}},
        },
        user_config=asdict(limits_of(task)),
        # One line for each window would fill the log with what nobody reads.
        logging_config={"enable_access_log": False},
    ).bind(task, settings or ModelSettings(), models_root or get_cluster_settings().models_root)
