"""The language that a call names, and the sentence with those that there are."""

from __future__ import annotations

from api.edges.speech.errors import BadCall, LanguageUnsupported
from pipelines.language_choice import only_language, refusal, unavailable_reason
from pipelines.languages import AUTO, is_known, listed_code, locale_of
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import OFFLINE_ENGINE

UNKNOWN_LANGUAGE = "There is no language `{name}` here. {choice}"
ANY_CODE = "Send a code of ISO 639-1 such as `en`, or one with its region such as `en-GB`."
THESE_CODES = "Send one of {codes}."
OR_NONE = "Send one of {codes}, or leave `language` out to have it detected."


def spoken_language(loaded: EngineInfo | None, wanted: str | None) -> str:
    """What is spoken, as a code of the language lists, or `auto`. Raises `BadCall` and `LanguageUnsupported`.

    A program that names no language leaves no choice to an engine that has only one.
    """
    language = _listed(wanted or only_language(loaded), loaded)
    if loaded is not None and unavailable_reason(loaded, language) is not None:
        raise LanguageUnsupported(f"{refusal(loaded, language)} {_choice(loaded)}")
    return language


def _listed(wanted: str | None, loaded: EngineInfo | None) -> str:
    """`is-IS` for `is`."""
    if not wanted:
        return AUTO
    locale = locale_of(wanted.lower())
    language = listed_code(wanted if locale == wanted.lower() else locale) or wanted
    if not is_known(language) and language != AUTO:
        raise BadCall.field("language", UNKNOWN_LANGUAGE.format(name=wanted, choice=_choice(loaded)))
    return language


def _choice(loaded: EngineInfo | None) -> str:
    if loaded is None or not loaded.languages:
        return ANY_CODE
    codes = {code for engine in (loaded, *loaded.by_language) for code in engine.languages}
    # Codes that cannot be sent stay out.
    named = ", ".join(f"`{code}`" for code in sorted(codes) if is_known(locale_of(code)))
    may_detect = loaded.detects_language and loaded.engine != OFFLINE_ENGINE
    return (OR_NONE if may_detect else THESE_CODES).format(codes=named)
