"""The speech model inside the program that uses it."""

from __future__ import annotations

from pathlib import Path

from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.task import SPEECH


class InProcessTranscriber(InProcessModel[AudioWindow, WindowResult, TranscriptionEngine]):
    """Loads the profile's speech engine."""

    def __init__(self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path) -> None:
        def load() -> TranscriptionEngine:
            # Imported in the loading thread, which the caller does not wait for.
            from serve.tasks.transcription.load import load_transcription

            return load_transcription(profile, settings, models_root)

        super().__init__(SPEECH, profile, load)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self.engine.detect(window)
