"""A speech model that waits while a file exists, so that a test decides how much sound is queued."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from serve.core.messages import EngineInfo
from serve.core.replica.deployment import ModelReplica
from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.task import SPEECH

LOOK_EVERY_S = 0.05


class HeldEngine:
    gains_from_batches = False
    has_deadline = False
    spare_workers = 0
    parallel = 1

    def __init__(self, hold: Path) -> None:
        self.info = EngineInfo(SPEECH.name, "held", "none", "cpu", "Test.")
        self._hold = hold

    def batch_key(self, item: AudioWindow) -> int:
        return 0

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        while self._hold.exists():
            time.sleep(LOOK_EVERY_S)
        return [WindowResult(window.index, (), "en", 1.0) for window in batch]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return LanguageGuess((("en", 1.0),))

    def rest(self) -> None:
        """It holds nothing."""

    def close(self) -> None:
        """It holds nothing."""


class HeldTranscriber(ModelReplica[TranscriptionEngine]):
    def __init__(self, profile: TranscriptionProfile, hold: Path) -> None:
        super().__init__(SPEECH, HeldEngine(hold), profile.limits)
