"""Which languages can be translated into which, and by which translators a passage gets there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from serve.core.messages import LanguagePair
from serve.core.text.language_codes import spellings

PIVOT = "en"

Pair = tuple[str, str]
"""Source and target language, canonical codes."""


@dataclass(frozen=True, slots=True)
class PairSet:
    """Single pairs, and a set of languages of which each is translated into each other."""

    single: frozenset[Pair] = frozenset()
    mutual: frozenset[str] = frozenset()

    def __contains__(self, pair: Pair) -> bool:
        source, target = pair
        return pair in self.single or (source != target and {source, target} <= self.mutual)

    def __or__(self, other: PairSet) -> PairSet:
        return PairSet(self.single | other.single, self.mutual | other.mutual)

    @property
    def languages(self) -> frozenset[str]:
        return self.mutual | {language for pair in self.single for language in pair}

    def all(self) -> frozenset[Pair]:
        return self.single | {(one, two) for one in self.mutual for two in self.mutual if one != two}


class HasPairs(Protocol):
    @property
    def pairs(self) -> PairSet: ...

    @property
    def effort(self) -> int: ...


StepT = TypeVar("StepT", bound=HasPairs)


@dataclass(frozen=True, slots=True)
class Route(Generic[StepT]):
    """How a pair is translated: one translator, or two with English between them. `languages` is the whole way."""

    steps: tuple[StepT, ...]
    languages: tuple[str, ...]

    @property
    def via(self) -> str:
        """The language between; empty for a direct translation."""
        return self.languages[1] if len(self.steps) > 1 else ""


def route(translators: Sequence[StepT], source_language: str, target_language: str) -> Route[StepT] | None:
    """The way with the least effort between two languages, given by any of their codes; None without one."""
    for source in spellings(source_language):
        for target in spellings(target_language):
            if (found := _route(translators, source, target)) is not None:
                return found
    return None


def _route(translators: Sequence[StepT], source: str, target: str) -> Route[StepT] | None:
    if source == target:
        return None
    direct = _cheapest(translators, (source, target))
    found = [Route((direct,), (source, target))] if direct is not None else []
    if PIVOT not in (source, target):
        first, second = _cheapest(translators, (source, PIVOT)), _cheapest(translators, (PIVOT, target))
        if first is not None and second is not None:
            found.append(Route((first, second), (source, PIVOT, target)))
    return min(found, key=lambda each: sum(step.effort for step in each.steps), default=None)


def _cheapest(translators: Sequence[StepT], pair: Pair) -> StepT | None:
    return min((each for each in translators if pair in each.pairs), key=lambda each: each.effort, default=None)


def reachable(translators: Sequence[HasPairs]) -> frozenset[LanguagePair]:
    """Every pair that one translator knows and every pair through English."""
    direct: set[Pair] = set()
    for translator in translators:
        direct |= translator.pairs.all()
    into = {source for source, target in direct if target == PIVOT}
    out_of = {target for source, target in direct if source == PIVOT}
    ways = [
        (source, target, _route(translators, source, target))
        for source, target in direct | {(one, two) for one in into for two in out_of if one != two}
    ]
    return frozenset(LanguagePair(source, target, way.via) for source, target, way in ways if way is not None)


def in_words(pairs: Iterable[LanguagePair], at_most: int = 12) -> str:
    """`en → is, is → en, is → es (through en)`; longer lists end with how many more there are."""
    listed = sorted(pairs, key=lambda pair: (bool(pair.via), pair))
    shown = [
        f"{each.source} → {each.target}" + (f" (through {each.via})" if each.via else "") for each in listed[:at_most]
    ]
    rest = len(listed) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")
