"""Transcription as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_AUDIO
from serve.core.task import ModelTask
from serve.tasks.transcription.messages import TRANSCRIPTION, AudioWindow, WindowResult


def _stream(window: AudioWindow) -> str:
    return window.stream


def _duration_ms(window: AudioWindow) -> int:
    return window.duration_ms


SPEECH: ModelTask[AudioWindow, WindowResult] = ModelTask(
    name=TRANSCRIPTION,
    model=Message("transcription.model", "speech model"),
    material=MATERIAL_AUDIO,
    items="windows",
    stream=_stream,
    cost=_duration_ms,
    expected_speed=1000.0,
    slowest_speed=500.0,
    # Whisper looks at a context of seconds, however short the clip in it is.
    call_overhead=10_000,
)
"""Its cost is milliseconds of audio."""
