"""Whether the text engine, with the translation engine's help, can write a text, and what to say when it cannot."""

from __future__ import annotations

from pipelines.languages import AUTO, language_label, whisper_code
from serve.core.capability import knows_language, pair_from_to
from serve.core.messages import EngineInfo


def base_code(language: str) -> str:
    """`is-IS` -> `is`; empty for `auto`, whose language nobody knows."""
    return whisper_code(language) or ""


def needs_translation(info: EngineInfo, language: str, source: str) -> bool:
    """Whether the engine only selects sentences and the text is in another language than the transcript."""
    return info.only_selects and source != AUTO and base_code(language) != base_code(source)


def text_refusal(
    info: EngineInfo, translator: EngineInfo | None, *, type: str, language: str, source: str
) -> str | None:
    """A sentence that names what works; None when the text can be written.

    `translator` is the engine of the translation task, None where none runs. Languages are codes of the lists.
    """
    if info.text_types and type not in info.text_types:
        return f"The text engine cannot write this type of text. It writes {', '.join(sorted(info.text_types))}."
    if not info.only_selects:
        if knows_language(info, base_code(language)):
            return None
        return f"The text model does not know {language_label(language)}. Choose {language_label(source)}."
    if not needs_translation(info, language, source):
        return None
    if translator is not None and pair_from_to(translator, base_code(source), base_code(language)) is not None:
        return None
    return (
        f"The built-in text engine selects sentences, and no loaded model translates {language_label(source)} to "
        f"{language_label(language)}. Choose {language_label(source)}."
    )
