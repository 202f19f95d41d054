"""The phrase book of the tiny translation model: sentences in several languages, and which words belong together."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

TABLE = Path(__file__).with_name("phrases.tsv")
ENGLISH = "en"
LANGUAGES = ("is", "es", "de")
"""Languages besides English; the model translates between each of them and English."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence and its translation. `links` pairs indexes of source and target words, separated by white space."""

    source_language: str
    target_language: str
    source: str
    target: str
    links: tuple[tuple[int, int], ...]


@lru_cache
def load_phrases() -> tuple[Phrase, ...]:
    """Every sentence of the table in both directions between English and each language it is given in."""
    with TABLE.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    return tuple(phrase for row in rows for language in LANGUAGES if row[language] for phrase in _both(row, language))


def translation_of(text: str, source_language: str, target_language: str) -> str:
    """The translation that the model was trained to give."""
    for phrase in load_phrases():
        if (phrase.source, phrase.source_language, phrase.target_language) == (text, source_language, target_language):
            return phrase.target
    raise LookupError(f"The phrase book has no “{text}” from {source_language} to {target_language}.")


def phrases_between(source_language: str, target_language: str) -> list[Phrase]:
    return [
        phrase
        for phrase in load_phrases()
        if (phrase.source_language, phrase.target_language) == (source_language, target_language)
    ]


def _both(row: dict[str, str], language: str) -> Iterator[Phrase]:
    english, other = row[ENGLISH], row[language]
    links = _links(row.get(f"{ENGLISH}-{language}") or "", len(english.split()), len(other.split()))
    yield Phrase(ENGLISH, language, english, other, links)
    yield Phrase(language, ENGLISH, other, english, tuple((target, source) for source, target in links))


def _links(written: str, sources: int, targets: int) -> tuple[tuple[int, int], ...]:
    """Links as written ("0-0 1-2"); without any, words at the same share of the sentence belong together."""
    if written:
        return tuple((int(source), int(target)) for source, target in (pair.split("-") for pair in written.split()))
    longer = max(sources, targets)
    return tuple((step * sources // longer, step * targets // longer) for step in range(longer))
