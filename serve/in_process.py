"""The speech model inside the program that uses it: for a command that transcribes one file and goes.

Same engine and same batches as the deployment, without a cluster, whose start takes longer than a short file.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from serve.batching import BatchLimits, WindowBatcher
from serve.messages import AudioWindow, EngineInfo, LanguageGuess, WindowResult
from serve.profile import TranscriptionProfile
from serve.settings import ModelSettings

if TYPE_CHECKING:
    from serve.transcription.engine import TranscriptionEngine


class InProcessTranscriber:
    """Loads the profile's engine in the background from the first moment on. Close it after use.

    Every method that needs the engine waits for it and raises what its loading raised.
    """

    def __init__(self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path) -> None:
        self._profile = profile
        self._loop = asyncio.new_event_loop()
        self._turning = threading.Thread(target=self._loop.run_forever, name="window-batches", daemon=True)
        self._turning.start()
        with ThreadPoolExecutor(1, thread_name_prefix="model-loading") as pool:
            self._loading = pool.submit(self._load, profile, settings, models_root)
            pool.shutdown(wait=False)

    def describe(self) -> EngineInfo:
        return self._engine.info

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._engine.detect(window)

    def submit(self, window: AudioWindow) -> Future[WindowResult]:
        return asyncio.run_coroutine_threadsafe(self._batcher.submit(window), self._loop)

    def close(self) -> None:
        if self._loading.exception() is None:
            self._loop.call_soon_threadsafe(self._batcher.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._turning.join()
        if self._loading.exception() is None:
            self._engine.close()

    @property
    def _engine(self) -> TranscriptionEngine:
        return self._loading.result()[0]

    @property
    def _batcher(self) -> WindowBatcher:
        return self._loading.result()[1]

    def _load(
        self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path
    ) -> tuple[TranscriptionEngine, WindowBatcher]:
        from serve.transcription.load import load_transcription

        engine = load_transcription(profile, settings, models_root)
        limits = BatchLimits(
            # Where a batch saves nothing, its first result would only wait for its last one.
            max_batch=profile.max_batch if engine.gains_from_batches else 1,
            wait_ms=profile.batch_wait_ms,
            max_queued_s=profile.max_queued_audio_s,
        )
        return engine, WindowBatcher(
            engine.transcribe, key=engine.batch_key, limits=limits, workers=engine.parallel, guests=engine.guests
        )
