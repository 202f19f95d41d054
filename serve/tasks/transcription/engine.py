"""What the `Transcriber` deployment requires of a speech engine."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from serve.core.engine import Engine
from serve.core.messages import EngineRefused
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult

WindowOutcome: TypeAlias = WindowResult | EngineRefused
"""The outcome of one window of a batch; a refusal does not affect its neighbours."""


class TranscriptionEngine(Engine[AudioWindow, WindowResult], Protocol):
    """A loaded speech model; `run` gives the words of each window."""

    def detect(self, window: AudioWindow, /) -> LanguageGuess:
        """Languages the window may be in. Raises EngineRefused."""
        ...
