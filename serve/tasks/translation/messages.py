"""The values that the translation deployment exchanges with its callers. Languages are codes of the language lists."""

from __future__ import annotations

from dataclasses import dataclass

TRANSLATION = "translation"
"""The name of the task."""

CHAT_TRANSLATION = "llm"
"""The engine that is a chat model: it reads the context and corrects drafts."""


@dataclass(frozen=True, slots=True)
class Term:
    """How to translate a term. An equal `target` means that it stays as it is."""

    source: str
    target: str


@dataclass(frozen=True, slots=True)
class TranslationContext:
    """What surrounds a passage, for engines that read it: chat models. `before` pairs earlier source and target rows.

    `formality` is `default`, `formal` or `informal`.
    """

    before: tuple[tuple[str, str], ...] = ()
    after: tuple[str, ...] = ()
    synopsis: str = ""
    speakers: tuple[str, ...] = ()
    formality: str = "default"


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence group of one file: the unit of translation. `text` is one row with single spaces.

    `stream` names the file for fairness between files; `index` counts its passages from 0. A translation longer than
    `budget` characters is too long to read; None means that any length is fine. `glossary` holds the terms that occur.
    `draft` is an earlier translation that is too long, misses terms or changes numbers. Chat models correct it, keeping
    names and numbers; other engines ignore it.
    """

    stream: str
    index: int
    source_language: str
    target_language: str
    text: str
    budget: int | None = None
    glossary: tuple[Term, ...] = ()
    context: TranslationContext = TranslationContext()
    draft: str = ""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One translation. `log_probability` is the mean per token, None where the engine gives none.

    `attention[t][s]` is how much the target's word `t` depends on the source's word `s`; words are what white space
    separates. Each row sums to 1. It is empty where the engine gives none.
    """

    text: str
    log_probability: float | None = None
    attention: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Translated:
    """The translations of a passage, the best first; never empty. `is_fallback`: a simpler engine made them."""

    index: int
    hypotheses: tuple[Hypothesis, ...]
    is_fallback: bool = False
