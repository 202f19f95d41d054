"""Live transcription as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_AUDIO
from serve.core.task import ModelTask
from serve.tasks.live.messages import LIVE, LiveSound, LiveText


def _stream(sound: LiveSound) -> str:
    return sound.stream


def _duration_ms(sound: LiveSound) -> int:
    return sound.duration_ms


LIVE_TASK: ModelTask[LiveSound, LiveText] = ModelTask(
    name=LIVE,
    model=Message("live.model", "model for live speech"),
    material=MATERIAL_AUDIO,
    items="pieces",
    stream=_stream,
    cost=_duration_ms,
    expected_speed=2_000.0,
    slowest_speed=200.0,
    # The first piece of an utterance may start a program.
    call_overhead=2_000,
    # Late captions are no captions: who waits longer sends the utterance again.
    deadline_s=60.0,
    keeps_state=True,
)
"""Its cost is milliseconds of audio."""
