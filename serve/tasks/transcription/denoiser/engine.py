"""A speech engine that hears windows without noise."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cluster.sentences import paragraph
from serve.core.messages import EngineInfo
from serve.tasks.transcription.denoiser.denoiser import Denoiser
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome


class DenoisedEngine:
    """Stands around an engine. Nothing else changes: what the person plays is the sound as it was recorded."""

    def __init__(self, engine: TranscriptionEngine, denoiser: Denoiser, sentence: str) -> None:
        """`sentence` says in the record which model takes the noise out."""
        self._engine, self._denoiser, self._sentence = engine, denoiser, sentence
        self.parallel, self.spare_workers = engine.parallel, engine.spare_workers
        self.gains_from_batches, self.has_deadline = engine.gains_from_batches, engine.has_deadline

    @property
    def info(self) -> EngineInfo:
        info = self._engine.info
        return replace(info, reason=paragraph(info.reason, self._sentence))

    def batch_key(self, window: AudioWindow) -> Hashable:
        return self._engine.batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        return self._engine.run([self._clean(window) for window in batch])

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._engine.detect(self._clean(window))

    def rest(self) -> None:
        self._engine.rest()

    def close(self) -> None:
        self._engine.close()

    def _clean(self, window: AudioWindow) -> AudioWindow:
        return replace(window, pcm=self._denoiser(window.pcm))
