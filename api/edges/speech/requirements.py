"""What the models of this installation must be able to do for a call."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.speech.errors import BadCall
from api.edges.speech.models import SpeechTask
from api.platform.capabilities.queries import capability_of
from pipelines.languages import whisper_code
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.engine_labels import engine_label

NO_PROBABILITIES = "{model} gives no probabilities of words. Leave `include` out."
NO_TEMPERATURE = "{model} always takes the likeliest text. Send 0, or leave `temperature` out."
NO_LOGPROBS = "A translation has no log probabilities. Leave `include` out."

NO_SPEAKER_MODEL = "No speaker model runs here, so nobody can be told apart. Send another `response_format`."
NOT_TRANSLATED = "Speakers are told apart in transcriptions alone. Send another `response_format`."


def require_temperature(loaded: EngineInfo | None, language: str) -> None:
    """Raises `BadCall`. `language` is a code of the language lists, or `auto`."""
    engine = None if loaded is None else engine_for(loaded, whisper_code(language))
    if engine is not None and not engine.takes_temperature:
        label = engine_label(engine.engine, engine.model)
        raise BadCall.field("temperature", NO_TEMPERATURE.format(model=label))


def require_probabilities(loaded: EngineInfo | None, language: str, task: SpeechTask) -> None:
    """Raises `BadCall`. `language` is a code of the language lists, or `auto`."""
    if task == SpeechTask.TRANSLATE:
        raise BadCall.field("include", NO_LOGPROBS)
    engine = None if loaded is None else engine_for(loaded, whisper_code(language))
    if engine is not None and not engine.word_probabilities:
        label = engine_label(engine.engine, engine.model)
        raise BadCall.field("include", NO_PROBABILITIES.format(model=label))


async def require_speakers(session: AsyncSession, task: SpeechTask) -> None:
    """Raises `BadCall` where nobody can be told apart."""
    if task == SpeechTask.TRANSLATE:
        raise BadCall.field("response_format", NOT_TRANSLATED)
    if not (await capability_of(session, DIARIZATION)).may_work:
        raise BadCall.field("response_format", NO_SPEAKER_MODEL)
