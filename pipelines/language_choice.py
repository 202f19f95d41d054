"""Which languages the loaded model can transcribe, and which one a file gets when its user chooses none."""

from __future__ import annotations

from cluster.wording.message import Message, Wording
from pipelines.languages import AUTO, REGIONAL, language_label, whisper_code
from serve.core.capability import knows_language
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.messages import OFFLINE_ENGINE

NEEDS_WHISPER = Message("language_choice.needs_whisper", "Needs a Whisper model")
NOT_KNOWN = Message("language_choice.not_known", "The speech model does not know this language")
NOT_DETECTED = Message("language_choice.not_detected", "The speech model cannot detect languages")

FALLBACK = "en-US"
"""The first choice when neither detection nor the installation's own language works."""


def unavailable_reason(loaded: EngineInfo | None, locale: str) -> str | None:
    """A short phrase that says why a language cannot be transcribed now. None when it can, or before a model is loaded.

    `locale` is a code of the language lists or `auto`.
    """
    if loaded is None:
        return None
    code = whisper_code(locale)
    works = loaded.detects_language if code is None else knows_language(loaded, code)
    if works:
        return None
    if loaded.engine == OFFLINE_ENGINE:
        return NEEDS_WHISPER
    return NOT_DETECTED if code is None else NOT_KNOWN


def only_language(loaded: EngineInfo | None) -> str | None:
    """The language of an engine that knows a single one, as a Whisper code; None where there is a choice."""
    if loaded is None or len(loaded.languages) != 1:
        return None
    return next(iter(loaded.languages))


def default_language(loaded: EngineInfo | None, preferred: str) -> str:
    """The language of a file whose user chose none: detection, else the installation's own, else one that works.

    Before a model is loaded it is `auto`, which every engine accepts: an engine with a single language uses that one.
    """
    if loaded is None:
        return AUTO
    candidates = (AUTO, preferred, FALLBACK, *(option.value for option in REGIONAL))
    return next((each for each in candidates if unavailable_reason(loaded, each) is None), AUTO)


_DETECT = Message("language_choice.detect", "detect the language")
_TRANSCRIBE = Wording("language_choice.transcribe", "transcribe {language}")


def refusal(loaded: EngineInfo, locale: str) -> str:
    """The sentence for a person who chose a language that the loaded model does not support."""
    wanted = _DETECT if locale == AUTO else _TRANSCRIBE(language=language_label(locale))
    if loaded.engine == OFFLINE_ENGINE:
        return Message(
            "pipelines.built_speech_engine_supports_only",
            "The built-in speech engine supports only English and cannot {wanted}.",
            wanted=wanted,
        )
    return Message(
        "pipelines.speech_model_cannot",
        "The speech model {model} cannot {wanted}.",
        model=engine_label(loaded.engine, loaded.model),
        wanted=wanted,
    )
