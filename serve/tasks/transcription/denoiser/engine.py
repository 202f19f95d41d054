"""A speech engine that hears windows without noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from serve.tasks.transcription.annotated import AnnotatedEngine
from serve.tasks.transcription.denoiser.denoiser import Denoiser
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome


class DenoisedEngine(AnnotatedEngine):
    """Nothing else changes: what the person plays is the sound as it was recorded."""

    def __init__(self, engine: TranscriptionEngine, denoiser: Denoiser, sentence: str) -> None:
        """`sentence` says in the record which model takes the noise out."""
        super().__init__(engine, sentence)
        self._denoiser = denoiser

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        return self.inner.run([self._clean(window) for window in batch])

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self.inner.detect(self._clean(window))

    def _clean(self, window: AudioWindow) -> AudioWindow:
        return replace(window, pcm=self._denoiser(window.pcm))
