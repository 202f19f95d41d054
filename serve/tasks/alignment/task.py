"""Alignment as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_AUDIO
from serve.core.task import ModelTask
from serve.tasks.alignment.messages import ALIGNMENT, AlignedText, TextWindow


def _stream(item: TextWindow) -> str:
    return item.window.stream


def _duration_ms(item: TextWindow) -> int:
    return item.window.duration_ms


ALIGNMENT_TASK: ModelTask[TextWindow, AlignedText] = ModelTask(
    name=ALIGNMENT,
    model=Message("alignment.model", "alignment model"),
    material=MATERIAL_AUDIO,
    items="windows",
    stream=_stream,
    cost=_duration_ms,
    expected_speed=5_000.0,
    slowest_speed=500.0,
    call_overhead=5_000,
)
"""Its cost is milliseconds of audio."""
