"""Proofreading without a model: doubled words, spaces around punctuation, capitals, names in small letters.

Every rule takes something away or changes a capital; none writes a word. Shortening removes filler words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cluster.wording.message import Message
from serve.tasks.text.messages import Correction, CorrectionKind, ProofreadItem, ProofreadLines, ProofreadTask

Rule = Callable[[str], str]

TWICE = Message("proofreading.twice", "A word stands here twice.")
REPEATED = Message("proofreading.repeated", "Two spaces or commas follow each other.")
CAPITAL = Message("proofreading.capital", "A sentence begins with a capital letter.")
SPACE_BEFORE = Message("proofreading.space_before", "No space stands before this sign.")
IN_GLOSSARY = Message("proofreading.in_glossary", "The glossary writes it this way.")
FILLER = Message("proofreading.filler", "Without words that only fill a pause.")

MAY_REPEAT = frozenset(
    [
        "had",
        "that",
        "já",
        "nei",
        "ja",
        "nein",
        "no",
        "yes",
        "ha",
        "very",
        "so",
        "bye",
        "hear",
        "nú",
        "non",
        "oui",
        "sí",
        "si",
    ]
)
"""Words that people double on purpose, or that grammar doubles (`had had`, `that that`)."""

FILLERS = {
    "en": ("uh", "um", "er", "erm", "you know", "I mean", "sort of", "kind of", "basically", "actually", "literally"),
    "is": ("sko", "hérna", "þú veist", "eða þannig", "bara svona", "skilurðu"),
    "de": ("äh", "ähm", "sozusagen", "irgendwie", "quasi"),
    "fr": ("euh", "en fait", "du coup"),
    "es": ("eh", "o sea", "digamos", "en plan"),
    "da": ("øh", "øhm", "altså", "ligesom"),
    "sv": ("eh", "liksom"),
    "nb": ("eh", "liksom"),
}
"""Words and phrases that fill pauses, by language."""

_DOUBLED = re.compile(r"\b([^\W\d_]+)( +)\1\b", re.IGNORECASE)
_SPACE_BEFORE = re.compile(r"(?<=\w) +(?=[,.;:!?…](?:\s|$))")
_COMMAS = re.compile(r",(?: *,)+")
_SPACES = re.compile(r"  +")
_AFTER_END = re.compile(r"(?<=[^\W\d_]{3}[.!?] )([^\W\d_])")
_SPACED_PUNCTUATION = frozenset({"fr"})
"""Languages that put a space before `!`, `?`, `:` and `;`."""


def proofread(item: ProofreadItem) -> ProofreadLines:
    """The corrections of lines that a rule changes, with the first rule that did as the reason."""
    rules = _shortening(item.language.code) if item.task is ProofreadTask.SHORTEN else _correcting(item)
    found: list[Correction] = []
    for number, line in enumerate(item.lines, 1):
        text = line.text
        first: tuple[CorrectionKind, str] | None = None
        for kind, reason, rule in rules:
            changed = rule(text)
            if changed != text and changed.strip():
                text, first = changed, first or (kind, reason)
        if first is not None:
            found.append(Correction(number, text, *first))
    return ProofreadLines(item.index, tuple(found))


def _correcting(item: ProofreadItem) -> list[tuple[CorrectionKind, str, Rule]]:
    rules: list[tuple[CorrectionKind, str, Rule]] = [
        (CorrectionKind.REPETITION, TWICE, _undoubled),
        (CorrectionKind.PUNCTUATION, REPEATED, _single),
        (CorrectionKind.PUNCTUATION, CAPITAL, _capitals),
    ]
    if item.language.code not in _SPACED_PUNCTUATION:
        rules.insert(1, (CorrectionKind.PUNCTUATION, SPACE_BEFORE, _closed_up))
    if item.terms:
        rules.append((CorrectionKind.NAME, IN_GLOSSARY, _named(item.terms)))
    return rules


def _shortening(language: str) -> list[tuple[CorrectionKind, str, Rule]]:
    words = FILLERS.get(language, ())
    rules: list[tuple[CorrectionKind, str, Rule]] = [
        (CorrectionKind.SHORTER, TWICE, _undoubled),
    ]
    if words:
        choice = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        filler = re.compile(rf"(?:^|(?<=\s))(?:{choice})\b,? *", re.IGNORECASE)

        def without(text: str) -> str:
            left = _SPACES.sub(" ", filler.sub("", text)).strip(" ,")
            return left[:1].upper() + left[1:] if text[:1].isupper() else left

        rules.insert(0, (CorrectionKind.SHORTER, FILLER, without))
    return rules


def _undoubled(text: str) -> str:
    return _DOUBLED.sub(lambda found: found[0] if found[1].casefold() in MAY_REPEAT else found[1], text)


def _closed_up(text: str) -> str:
    return _SPACE_BEFORE.sub("", text)


def _single(text: str) -> str:
    return _SPACES.sub(" ", _COMMAS.sub(",", text))


def _capitals(text: str) -> str:
    return _AFTER_END.sub(lambda found: found[1].upper(), text)


def _named(terms: tuple[str, ...]) -> Rule:
    """Terms with capitals, wherever they stand in small letters."""
    capital = {term.casefold(): term for term in terms if term != term.casefold()}
    if not capital:
        return lambda text: text
    choice = "|".join(re.escape(term) for term in sorted(capital, key=len, reverse=True))
    expression = re.compile(rf"\b(?:{choice})\b", re.IGNORECASE)
    return lambda text: expression.sub(lambda found: capital.get(found[0].casefold(), found[0]), text)
