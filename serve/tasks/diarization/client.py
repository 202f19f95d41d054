"""The client of the `Diarizer` deployment."""

from __future__ import annotations

from serve.core.client import DEADLINE_S, IN_FLIGHT, ModelClient
from serve.tasks.diarization.messages import PieceVoices, SoundPiece
from serve.tasks.diarization.task import DIARIZATION_TASK


class DiarizerClient(ModelClient[SoundPiece, PieceVoices]):
    """Sends pieces of sound to the speaker model."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(DIARIZATION_TASK, deadline_s=deadline_s, in_flight=in_flight)
