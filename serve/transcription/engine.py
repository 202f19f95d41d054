"""What the `Transcriber` deployment asks of a speech engine, whichever one is loaded."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeAlias

from serve.messages import AudioWindow, EngineInfo, EngineRefused, LanguageGuess, WindowResult

WindowOutcome: TypeAlias = WindowResult | EngineRefused
"""What became of one window of a batch: a refusal of one says nothing about its neighbours."""


class TranscriptionEngine(Protocol):
    """A loaded model. Every method may be called from several threads at once, up to `parallel`."""

    info: EngineInfo
    parallel: int
    """How many calls run side by side; more would only wait for each other."""
    guests: int
    """Calls it takes besides, for windows of files that have nothing at work: they slow down the others a little."""
    gains_from_batches: bool
    """Whether windows decoded together take less time than one after the other."""

    def batch_key(self, window: AudioWindow) -> Hashable:
        """Windows with equal keys may be decoded in one call."""
        ...

    def transcribe(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        """The words of each window, in the order given. All windows have the same `batch_key`."""
        ...

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """Languages the window may be in. Raises EngineRefused."""
        ...

    def rest(self) -> None:
        """Called every few seconds: free what has not been used for long."""
        ...

    def close(self) -> None:
        """Free memory and end child processes. No call may follow."""
        ...
