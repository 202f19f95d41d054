"""Which languages the loaded model can translate into which, as phrases and sentences for people."""

from __future__ import annotations

from cluster.wording.message import Message
from pipelines.languages import BROAD, language_label
from serve.core.capability import pair_from_to
from serve.core.messages import EngineInfo, LanguagePair
from serve.core.text.language_codes import spellings
from serve.tasks.engine_labels import engine_label

SAME_LANGUAGE = Message("translation.same_language", "The captions are in this language already")
NOT_TRANSLATED = Message("translation.not_translated", "No loaded model translates into this language")
_NAMED = 6


def pair_of(loaded: EngineInfo, source: str, target: str) -> LanguagePair | None:
    """How the model translates between two codes of the language lists; None where it cannot."""
    for first in spellings(source):
        for second in spellings(target):
            if first != second and (pair := pair_from_to(loaded, first, second)) is not None:
                return pair
    return None


def unavailable_reason(loaded: EngineInfo, source: str, target: str) -> str | None:
    """A short phrase that says why captions cannot be translated between two languages; None when they can."""
    if source.casefold() == target.casefold():
        return SAME_LANGUAGE
    return None if pair_of(loaded, source, target) is not None else NOT_TRANSLATED


def refusal(loaded: EngineInfo, source: str, target: str) -> str:
    """The sentence for a person who chose a pair that the model does not translate. It names what works."""
    first, second = language_label(source), language_label(target)
    if source.casefold() == target.casefold():
        return Message(
            "pipelines.translation.same_language",
            "These captions are in {language} already. Choose another language.",
            language=second,
        )
    model = engine_label(loaded.engine, loaded.model)
    works = [
        option.label
        for option in BROAD
        if "-" not in option.value and option.value != source and pair_of(loaded, source, option.value) is not None
    ]
    cannot = Message(
        "pipelines.translation.cannot_translate",
        "The translation model {model} cannot translate {first} into {second}.",
        model=model,
        first=first,
        second=second,
    )
    if not works:
        return Message(
            "pipelines.translation.cannot_translate_into_any_language",
            "{cannot} It cannot translate {first} into any language.",
            cannot=cannot,
            first=first,
        )
    return Message(
        "pipelines.translation.from_translates_into",
        "{cannot} From {first} it translates into {works}.",
        cannot=cannot,
        first=first,
        works=_listed(works),
    )


def _listed(names: list[str]) -> str:
    if len(names) > _NAMED:
        return Message(
            "pipelines.translation.languages_and_more",
            "{rest} and {count} more languages",
            rest=_with_commas(names[:_NAMED]),
            count=len(names) - _NAMED,
        )
    if len(names) == 1:
        return names[0]
    return Message(
        "pipelines.translation.languages_and_last",
        "{rest} and {language}",
        rest=_with_commas(names[:-1]),
        language=names[-1],
    )


def _with_commas(names: list[str]) -> str:
    first, *rest = names
    if not rest:
        return first
    return Message("pipelines.translation.languages", "{first}, {rest}", first=first, rest=_with_commas(rest))
