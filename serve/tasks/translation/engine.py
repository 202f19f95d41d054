"""What the `Translator` deployment requires of an engine, and what an engine is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from serve.core.engine import Engine
from serve.core.messages import EngineRefused
from serve.tasks.translation.messages import Hypothesis, Passage, Translated
from serve.tasks.translation.pairs import PairSet

PassageOutcome: TypeAlias = Translated | EngineRefused
"""The outcome of one passage of a batch; a refusal does not affect its neighbours."""


class TranslationEngine(Engine[Passage, Translated], Protocol):
    """A loaded engine; `run` gives the translations of each passage."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A row of text to translate. Languages are canonical: see `serve.core.text.language_codes`."""

    text: str
    source: str
    target: str


class Translator(Protocol):
    """One source of translations: a model, or a program with its installed pairs. Safe for several threads."""

    name: str
    pairs: PairSet
    effort: int
    """Routes with less effort in total are preferred: 1 for a neural model, more for rules."""

    def translate(self, sentences: Sequence[Sentence]) -> list[tuple[Hypothesis, ...]]:
        """Translations of each sentence, the best first and without duplicates; empty where none is usable."""
        ...

    def rest(self) -> None: ...

    def close(self) -> None: ...
