"""The client of the `Diarizer` deployment."""

from __future__ import annotations

from serve.client import DEADLINE_S, IN_FLIGHT, ModelClient
from serve.diarization.task import DIARIZATION
from serve.diarization_messages import PieceVoices, SoundPiece


class DiarizerClient(ModelClient[SoundPiece, PieceVoices]):
    """Sends pieces of sound to the speaker model."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(DIARIZATION, deadline_s=deadline_s, in_flight=in_flight)
