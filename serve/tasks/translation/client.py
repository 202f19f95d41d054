"""The client of the `Translator` deployment."""

from __future__ import annotations

from serve.core.client import DEADLINE_S, IN_FLIGHT, ModelClient
from serve.tasks.translation.messages import Passage, Translated
from serve.tasks.translation.task import TRANSLATION_TASK


class TranslatorClient(ModelClient[Passage, Translated]):
    """Sends passages to the translation model."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(TRANSLATION_TASK, deadline_s=deadline_s, in_flight=in_flight)
