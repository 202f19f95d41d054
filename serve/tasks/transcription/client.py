"""The client of the `Transcriber` deployment."""

from __future__ import annotations

from serve.core.client import IN_FLIGHT, ModelClient
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.task import SPEECH


class TranscriberClient(ModelClient[AudioWindow, WindowResult]):
    """Sends windows to the speech model, to transcribe them or to detect their language."""

    def __init__(self, *, deadline_s: float | None = None, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(SPEECH, deadline_s=deadline_s, in_flight=in_flight)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """Languages the window may be in."""
        guess: LanguageGuess = self._call(lambda handle: handle.detect.remote(window))
        return guess
