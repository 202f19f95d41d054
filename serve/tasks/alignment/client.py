"""The client of the `Aligner` deployment."""

from __future__ import annotations

from serve.core.client import IN_FLIGHT, ModelClient
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.alignment.task import ALIGNMENT_TASK


class AlignerClient(ModelClient[TextWindow, AlignedText]):
    """Sends windows with their words to the alignment model."""

    def __init__(self, *, deadline_s: float | None = None, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(ALIGNMENT_TASK, deadline_s=deadline_s, in_flight=in_flight)
