"""A client of a real engine without Ray that counts its requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult


class InProcessClient:
    """`SpeechClient` over an engine. It calls `before` with each window first, which may raise."""

    def __init__(self, engine: TranscriptionEngine, before: Callable[[AudioWindow], None] | None = None) -> None:
        self.engine = engine
        self.before = before
        self.windows: list[AudioWindow] = []
        self.most_at_once = 0
        self._unfinished: set[Future[WindowResult]] = set()
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(engine.parallel)

    def describe(self) -> EngineInfo:
        return self.engine.info

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self.engine.detect(window)

    def submit(self, window: AudioWindow) -> Future[WindowResult]:
        with self._lock:
            self.windows.append(window)
            future = self._pool.submit(self._decode, window)
            self._unfinished = {each for each in self._unfinished if not each.done()} | {future}
            self.most_at_once = max(self.most_at_once, len(self._unfinished))
        return future

    def stop(self) -> None:
        """End the threads, but not the engine: other tests may share it."""
        self._pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self.stop()
        self.engine.close()

    def _decode(self, window: AudioWindow) -> WindowResult:
        if self.before is not None:
            self.before(window)
        (outcome,) = self.engine.run([window])
        if isinstance(outcome, EngineRefused):
            raise outcome
        return outcome
