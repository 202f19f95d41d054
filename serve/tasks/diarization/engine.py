"""What the `Diarizer` deployment requires of a speaker engine."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from serve.core.engine import Engine
from serve.core.messages import EngineRefused
from serve.tasks.diarization.messages import PieceVoices, SoundPiece

PieceOutcome: TypeAlias = PieceVoices | EngineRefused
"""The outcome of one piece of a batch; a refusal does not affect its neighbours."""


class DiarizationEngine(Engine[SoundPiece, PieceVoices], Protocol):
    """A loaded pair of models: one tells the voices of a window apart, one says how each sounds."""
