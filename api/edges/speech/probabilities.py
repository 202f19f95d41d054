"""Whether the speech model of a call gives probabilities of words."""

from __future__ import annotations

from api.edges.speech.errors import BadCall
from api.edges.speech.models import SpeechTask
from pipelines.languages import whisper_code
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label

NO_PROBABILITIES = "{model} gives no probabilities of words. Leave `include` out."
NOT_TRANSLATED = "A translation has no log probabilities. Leave `include` out."


def require_probabilities(loaded: EngineInfo | None, language: str, task: SpeechTask) -> None:
    """Raises `BadCall`. `language` is a code of the language lists, or `auto`."""
    if task == SpeechTask.TRANSLATE:
        raise BadCall.field("include", NOT_TRANSLATED)
    engine = None if loaded is None else engine_for(loaded, whisper_code(language))
    if engine is not None and not engine.word_probabilities:
        label = engine_label(engine.engine, engine.model)
        raise BadCall.field("include", NO_PROBABILITIES.format(model=label))
