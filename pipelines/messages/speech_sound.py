"""What the flow of kind `speech_sound` receives and ends with."""

from __future__ import annotations

from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult
from pipelines.messages.spoken_terms import SpokenTerm

SPEECH_SOUND = "pipelines.flows.speech_sound:run"


class SpeechSoundRequest(JsonMessage):
    """Decode the sound of the object `source_key`, a file in any form that we read.

    `terms` are those that the program sent, for the transcription that follows.
    """

    source_key: str
    terms: tuple[SpokenTerm, ...] = ()


class SpeechSoundResult(FlowResult):
    audio_key: str
    duration_ms: int
