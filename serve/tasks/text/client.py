"""The client of the `Writer` deployment."""

from __future__ import annotations

from serve.core.client import IN_FLIGHT, ModelClient
from serve.tasks.text.messages import TextItem, TextOutcome
from serve.tasks.text.task import TEXT_WORK

DEADLINE_S = 1800.0
"""A chat model on two cores takes minutes for a section, and other files' sections may be before it.
A job also waits this long for an endpoint that is away."""


class WriterClient(ModelClient[TextItem, TextOutcome]):
    """Sends sections and claims to the text model."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(TEXT_WORK, deadline_s=deadline_s, in_flight=in_flight)
