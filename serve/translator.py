"""The client of the `Translator` deployment."""

from __future__ import annotations

from serve.client import DEADLINE_S, IN_FLIGHT, ModelClient
from serve.translation.task import TRANSLATION
from serve.translation_messages import Passage, Translated


class TranslatorClient(ModelClient[Passage, Translated]):
    """Sends passages to the translation model."""

    def __init__(self, *, deadline_s: float = DEADLINE_S, in_flight: int = IN_FLIGHT) -> None:
        super().__init__(TRANSLATION, deadline_s=deadline_s, in_flight=in_flight)
