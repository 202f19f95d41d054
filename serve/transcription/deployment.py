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
from serve.batching import BatchLimits
from serve.messages import AudioWindow, EngineInfo, EngineProblem, EngineRefused, LanguageGuess, WindowResult
from serve.models import choose_transcription
from serve.profile import Profile, TranscriptionProfile
from serve.settings import ModelSettings
from serve.transcription.engine import TranscriptionEngine
from serve.transcription.load import load_chosen
from serve.transcription.names import DEPLOYMENT_NAME
from serve.transcription.processor import KEPT_MEMORY
from serve.transcription.succession import Succession
from serve.transcription.watch import ModelWatch

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

    def __init__(
        self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, *, may_download: bool
    ) -> None:
        choice = choose_transcription(profile, settings, models_root, may_download=may_download)
        self._engines = Succession(load_chosen(profile, settings, choice), limits_of(profile))
        self._problem = ""
        self._watch = ModelWatch(
            profile,
            settings,
            models_root,
            choice=choice,
            on_loaded=self._succeed,
            on_problem=self._set_problem,
        )
        self._watch.start()

    def reconfigure(self, user_config: dict[str, Any]) -> None:
        """New batch limits for a running replica: any fields of `BatchLimits`."""
        self._engines.limit(BatchLimits(**user_config))

    def check_health(self) -> None:
        self._engines.rest()
        for loaded in self._engines:
            if loaded.batcher.failures_in_a_row >= BROKEN_AFTER_FAILURES:
                failures = loaded.batcher.failures_in_a_row
                raise RuntimeError(f"The speech model failed on {failures} windows in a row.")
            if (seconds := loaded.batcher.patience.stuck_s()) is not None:
                log.error("replica.stuck", seconds=round(seconds, 1))
                raise RuntimeError(f"The speech model has not come back from one call for {seconds:.0f} seconds.")

    async def transcribe(self, window: AudioWindow) -> WindowResult:
        """What was said in the window. Raises EngineRefused."""
        with self._engines.of(window.stream).request(window.stream) as loaded:
            return await loaded.batcher.submit(window)

    async def detect(self, window: AudioWindow) -> LanguageGuess:
        """Which languages the window may be in. Raises EngineRefused."""
        with self._engines.of(window.stream).request(window.stream) as loaded:
            async with loaded.detecting:
                try:
                    with loaded.batcher.patience.watch(audio_s=window.duration_ms / 1000):
                        return await asyncio.to_thread(loaded.engine.detect, window)
                except EngineRefused:
                    raise
                except Exception as failure:
                    raise EngineRefused(
                        EngineProblem.MODEL_FAILED, f"The speech model could not tell the language ({failure})."
                    ) from failure

    async def describe(self) -> EngineInfo:
        """Which engine new files get, and why."""
        return replace(self._engines.current.engine.info, problem=self._problem)

    def __del__(self) -> None:
        # Serve calls this when the replica is stopped. A replica whose loading failed has nothing to end.
        if hasattr(self, "_watch"):
            self._watch.stop()
            self._engines.close()

    def _succeed(self, engine: TranscriptionEngine) -> None:
        self._problem = ""
        self._engines.succeed(engine)

    def _set_problem(self, sentence: str) -> None:
        self._problem = sentence


def limits_of(profile: TranscriptionProfile) -> BatchLimits:
    return BatchLimits(
        max_batch=profile.max_batch, wait_ms=profile.batch_wait_ms, max_queued_s=profile.max_queued_audio_s
    )


def build_app(
    profile: Profile,
    settings: ModelSettings | None = None,
    models_root: Path | None = None,
    *,
    replicas_download: bool = False,
) -> Application:
    """The Serve application of a profile. Settings and the models folder are those of the process that builds it.

    `replicas_download`: each replica fetches a missing model when it starts, for machines that share no models folder.
    """
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
    ).bind(
        task,
        settings or ModelSettings(),
        models_root or get_cluster_settings().models_root,
        may_download=replicas_download,
    )
