"""Diarization as a model task. Callers need it without loading any engine."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.sentences import MATERIAL_AUDIO
from serve.core.task import ModelTask
from serve.tasks.diarization.messages import DIARIZATION, PieceVoices, SoundPiece


def _stream(piece: SoundPiece) -> str:
    return piece.stream


def _duration_ms(piece: SoundPiece) -> int:
    return piece.duration_ms


DIARIZATION_TASK: ModelTask[SoundPiece, PieceVoices] = ModelTask(
    name=DIARIZATION,
    model=Message("diarization.model", "speaker model"),
    material=MATERIAL_AUDIO,
    items="pieces",
    stream=_stream,
    cost=_duration_ms,
    expected_speed=10_000.0,
    # pyannote took 14 minutes for 45 minutes of sound on 8 virtual cores: 3 times real time, on one core a third.
    slowest_speed=300.0,
    call_overhead=10_000,
)
"""Its cost is milliseconds of audio."""
