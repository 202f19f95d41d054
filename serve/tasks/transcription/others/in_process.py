"""One installed engine inside the program that uses it, alone."""

from __future__ import annotations

from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engine import TranscriptionEngine
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.others.installed import InstalledEngine
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.task import SPEECH


class InProcessEngine(InProcessModel[AudioWindow, WindowResult, TranscriptionEngine]):
    """No other engine takes its place: what keeps it from loading is raised."""

    def __init__(self, profile: TranscriptionProfile, settings: ModelSettings, installed: InstalledEngine) -> None:
        def load() -> TranscriptionEngine:
            from serve.tasks.transcription.load import load_chosen

            return load_chosen(profile, settings, installed.choice, strict=True)

        super().__init__(SPEECH, profile, load)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self.engine.detect(window)
