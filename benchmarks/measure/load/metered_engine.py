"""An engine that records its calls: how many items, how long, how many beside it."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from serve.core.messages import EngineRefused
from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome
from serve.tasks.transcription.messages import AudioWindow, WindowResult


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the engine. `beside` calls were running when it began."""

    items: int
    audio_s: float
    seconds: float
    beside: int


class MeteredEngine:
    """Passes everything on."""

    def __init__(self, engine: TranscriptionEngine) -> None:
        self.info = engine.info
        self.parallel = engine.parallel
        self.spare_workers = engine.spare_workers
        self.gains_from_batches = engine.gains_from_batches
        self.has_deadline = engine.has_deadline
        self._engine = engine
        self._lock = threading.Lock()
        self._running = 0
        self._calls: list[Call] = []

    def take_calls(self) -> list[Call]:
        """The calls that ended since the last time."""
        with self._lock:
            calls, self._calls = self._calls, []
        return calls

    def batch_key(self, item: AudioWindow) -> Hashable:
        return self._engine.batch_key(item)

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome | EngineRefused]:
        with self._lock:
            beside = self._running
            self._running += 1
        begun = time.perf_counter()
        try:
            return self._engine.run(batch)
        finally:
            seconds = time.perf_counter() - begun
            audio_s = sum(window.duration_ms for window in batch) / 1000
            with self._lock:
                self._running -= 1
                self._calls.append(Call(len(batch), audio_s, seconds, beside))

    def rest(self) -> None:
        self._engine.rest()

    def close(self) -> None:
        self._engine.close()


def first_refusal(outcomes: Sequence[WindowResult | EngineRefused]) -> EngineRefused | None:
    return next((outcome for outcome in outcomes if isinstance(outcome, EngineRefused)), None)
