"""A speech engine with one more sentence in its record; the base of what stands around an engine."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cluster.sentences import paragraph
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome


class AnnotatedEngine:
    """Leaves everything to the engine inside."""

    def __init__(self, engine: TranscriptionEngine, sentence: str) -> None:
        self.inner, self._sentence = engine, sentence
        self.parallel, self.spare_workers = engine.parallel, engine.spare_workers
        self.gains_from_batches, self.has_deadline = engine.gains_from_batches, engine.has_deadline

    @property
    def info(self) -> EngineInfo:
        info = self.inner.info
        return replace(info, reason=paragraph(info.reason, self._sentence))

    def batch_key(self, window: AudioWindow) -> Hashable:
        return self.inner.batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        return self.inner.run(batch)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self.inner.detect(window)

    def rest(self) -> None:
        self.inner.rest()

    def close(self) -> None:
        self.inner.close()
