"""Checks whether the cited lines support a sentence, without a model.

It compares what a wrong sentence most often gets wrong: numbers, amounts, dates, names, negations; then how many of its
words occur at all. It cannot tell whether the words mean the same, so it marks sentences and removes none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from pipelines.ai_text.figures import dates, numbers, stated_numbers, units
from pipelines.messages.minutes import TextLine
from serve.core.text.words import content_stems, is_unspaced, stem, words

LEAST_OVERLAP = 0.3
"""Share of a sentence's meaningful words that its lines must hold. Rewritten sentences keep about half of them."""
SAME_CLAUSE = 0.5
"""Overlap from which a clause of the lines is the one that the sentence restates."""

_NEGATIONS = {
    "en": r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b",
    "is": r"\b(?:ekki|aldrei|enginn|engin|ekkert|engan|enga|engum|hvorki|án)\b",
    "es": r"\b(?:no|nunca|nada|nadie|ningún\w*|ninguna|sin|tampoco)\b",
    "de": r"\b(?:nicht|nie|niemals|nichts|niemand|kein\w*|ohne|weder)\b",
    "fr": r"\b(?:pas|jamais|rien|personne|aucune?|sans|ni)\b",
    "da": r"\b(?:ikke|aldrig|ingen|intet|uden)\b",
    "sv": r"\b(?:inte|aldrig|ingen|inget|inga|utan)\b",
    "no": r"\b(?:ikke|aldri|ingen|intet|uten)\b",
}
_CLAUSE = re.compile(r"[.!?…;,:。！？、，]+|\b(?:but|and|en|og|pero|y|aber|und|mais|et|men|och)\b", re.IGNORECASE)
_CAPITALIZED = re.compile(r"\b[^\W\d_a-zß-ÿ][\w’'-]*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:…]\s+|[\"“„«(\[]\s*)\W*$")
_NOUNS_CAPITALIZED = frozenset({"de", "lb"})
_PRONOUNS = frozenset({"i", "i'm", "i'll", "i've", "i'd"})


class Fault(StrEnum):
    """Why lines do not support a sentence."""

    NUMBER = "number"
    AMOUNT = "amount"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    WORDS = "words"
    NO_LINES = "no_lines"


def fault(sentence: str, lines: Sequence[TextLine], *, language: str, source: str) -> Fault | None:
    """The first thing in the sentence that its lines do not hold; None when they support it.

    `language` and `source` are base codes of the sentence and of the lines. Where they differ only numbers, amounts
    and full names are compared.
    """
    if not lines:
        return Fault.NO_LINES
    evidence = " ".join(line.text for line in lines)
    if not stated_numbers(sentence, language) <= numbers(evidence, source):
        return Fault.NUMBER
    if not units(sentence) <= units(evidence):
        return Fault.AMOUNT
    speakers = " ".join(dict.fromkeys(line.speaker for line in lines if line.speaker))
    is_same = language == source
    # Before names: most languages here capitalise some of them.
    if is_same and not dates(sentence, language) <= dates(evidence, source):
        return Fault.DATE
    if not _names_occur(sentence, f"{evidence} {speakers}", language, is_same=is_same):
        return Fault.NAME
    if not is_same:
        return None
    if _negation_differs(sentence, evidence, language):
        return Fault.NEGATION
    return None if _overlap(sentence, f"{evidence} {speakers}") >= LEAST_OVERLAP else Fault.WORDS


def is_said(phrase: str, lines: Sequence[TextLine], *, with_speakers: bool = False) -> bool:
    """Whether every word of a short phrase, an owner or a date, occurs in the lines."""
    said = {stem(word) for line in lines for word in words(line.text)}
    if with_speakers:
        said |= {stem(word) for line in lines if line.speaker for word in words(line.speaker)}
    wanted = {stem(word) for word in words(phrase)}
    return bool(wanted) and wanted <= said


def _overlap(sentence: str, evidence: str) -> float:
    """Share of the sentence's meaningful words that occur in the evidence."""
    wanted = content_stems(sentence) or {stem(word) for word in words(sentence)}
    found = content_stems(evidence) | {stem(word) for word in words(evidence)}
    return len(wanted & found) / len(wanted) if wanted else 0.0


def _names_occur(sentence: str, evidence: str, language: str, *, is_same: bool) -> bool:
    if is_unspaced(sentence):
        return True
    known = {_name_start(word) for word in words(evidence)}
    if not is_same:
        # Translated names change their endings and spelling: a full name must keep one of its words.
        return all(any(_name_start(word) in known for word in name) for name in _names(sentence) if len(name) > 1)
    if language in _NOUNS_CAPITALIZED:
        return all(any(_name_start(word) in known for word in name) for name in _names(sentence) if len(name) > 1)
    return all(_name_start(word) in known for name in _names(sentence) for word in name)


def _name_start(word: str) -> str:
    """The start of a name, which its inflected forms share: Jón and Jóns, Guðrún and Guðrúnar."""
    return word.casefold().replace("’", "'").removesuffix("'s")[:4]


def _names(sentence: str) -> list[list[str]]:
    """Runs of capitalised words. The first word of a sentence begins one only when another follows."""
    runs: list[list[str]] = []
    end = -2
    first_alone = False
    for match in _CAPITALIZED.finditer(sentence):
        word = match.group(0)
        if word.casefold().replace("’", "'") in _PRONOUNS:
            continue
        is_first = _SENTENCE_START.search(sentence[: match.start()]) is not None
        if match.start() == end + 1 and runs and sentence[end] == " ":
            runs[-1].append(word)
            first_alone = False
        else:
            if first_alone:
                runs.pop()
            runs.append([word])
            first_alone = is_first
        end = match.end()
    if first_alone:
        runs.pop()
    return runs


def _negation_differs(sentence: str, evidence: str, language: str) -> bool:
    pattern = _NEGATIONS.get(language)
    if pattern is None:
        return False
    negates = re.compile(pattern, re.IGNORECASE)
    is_negated = negates.search(sentence) is not None
    if is_negated:
        return negates.search(evidence) is None
    if negates.search(evidence) is None:
        return False
    # Some clause is negated: the sentence must not be the same clause without its negation.
    clauses = [clause for clause in _CLAUSE.split(evidence) if clause and clause.strip()]
    closest = max(clauses, key=lambda clause: _overlap(sentence, clause), default="")
    return negates.search(closest) is not None and _overlap(sentence, closest) >= SAME_CLAUSE
