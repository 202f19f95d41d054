"""Whether the text engine, with the translation engine's help, can write a text, and what to say when it cannot."""

from __future__ import annotations

from cluster.wording.message import Message
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
        return Message(
            "pipelines.ai_text.text_engine_cannot_write_type",
            "The text engine cannot write this type of text. It writes {types}.",
            types=", ".join(sorted(info.text_types)),
        )
    if not info.only_selects:
        if knows_language(info, base_code(language)):
            return None
        return Message(
            "pipelines.ai_text.text_model_does_not_know",
            "The text model does not know {language}. Choose {source}.",
            language=language_label(language),
            source=language_label(source),
        )
    if not needs_translation(info, language, source):
        return None
    if translator is not None and pair_from_to(translator, base_code(source), base_code(language)) is not None:
        return None
    return Message(
        "pipelines.ai_text.built_text_engine_selects_sentences",
        "The built-in text engine selects sentences, and no loaded model translates {source} "
        "to {language}. Choose {source}.",
        source=language_label(source),
        language=language_label(language),
    )
