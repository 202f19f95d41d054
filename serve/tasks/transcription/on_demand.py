"""Speech models of single languages, in memory only while in use."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Protocol

from serve.core.models.model_memory import ModelMemory, Unloadable
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome

    class UnloadableEngine(TranscriptionEngine, Unloadable, Protocol): ...


class OnDemandEngine:
    """An engine whose model is brought into memory before each call."""

    def __init__(self, name: str, engine: UnloadableEngine, memory: ModelMemory) -> None:
        """`engine` is loaded; it stays in memory only if it fits beside the others of `memory`."""
        self._name, self._engine, self._memory = name, engine, memory
        memory.add(name, engine)
        self.info = engine.info
        self.parallel = engine.parallel
        self.spare_workers = engine.spare_workers
        self.gains_from_batches = engine.gains_from_batches
        self.has_deadline = engine.has_deadline

    def batch_key(self, window: AudioWindow) -> Hashable:
        return self._engine.batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        with self._memory.using(self._name):
            return self._engine.run(batch)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        with self._memory.using(self._name):
            return self._engine.detect(window)

    def rest(self) -> None:
        self._memory.rest()

    def close(self) -> None:
        self._engine.close()
