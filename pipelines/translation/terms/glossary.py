"""Glossary terms: which occur in a text, and which of those a translation misses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pipelines.captions.texts.text import same_word
from pipelines.messages.translate import GlossaryTerm
from pipelines.translation.terms.stems import same_stem, stems
from pipelines.translation.texts.scripts import is_unspaced

_ENDING_MAX = 4


class TermIndex:
    """The terms of a glossary, found by the stems of their first word: 5,000 terms cost no more than 50."""

    def __init__(self, terms: Sequence[GlossaryTerm], language: str) -> None:
        """`language` is that of the terms' source."""
        self._language = language
        self._by_stem: dict[str, list[GlossaryTerm]] = defaultdict(list)
        self._unspaced: list[GlossaryTerm] = []
        for term in terms:
            if is_unspaced(term.source):
                self._unspaced.append(term)
            elif words := term.source.split():
                for stem in stems(words[0], language):
                    self._by_stem[stem].append(term)

    def terms_in(self, text: str) -> list[GlossaryTerm]:
        """The terms whose source occurs in the text, also inflected, longest first.

        A term inside a longer one that also occurs is left out: `United Nations` hides `nations`.
        """
        keys = {stem for word in text.split() for stem in stems(word, self._language)}
        possible = {id(term): term for key in keys for term in self._by_stem.get(key, ())}
        found: list[GlossaryTerm] = []
        for term in sorted((*possible.values(), *self._unspaced), key=lambda term: (-len(term.source), term.source)):
            inside = any(occurs(term.source, longer.source, self._language) for longer in found)
            if not inside and occurs(term.source, text, self._language, case_sensitive=term.case_sensitive):
                found.append(term)
        return found


def missing(text: str, terms: Sequence[GlossaryTerm], language: str) -> list[GlossaryTerm]:
    """The terms of a passage whose target the translation `text` in `language` does not hold, also not inflected."""
    return [term for term in terms if not is_held(term, text, language)]


def stays(term: GlossaryTerm) -> bool:
    """Whether the term is not translated."""
    return term.source.casefold() == term.target.casefold()


def is_held(term: GlossaryTerm, text: str, language: str) -> bool:
    """Whether the translation holds the term's target. A term that stays keeps its letters and may get an ending."""
    if not stays(term) or is_unspaced(term.target):
        return occurs(term.target, text, language, case_sensitive=term.case_sensitive)
    wanted, words = [_bare(word) for word in term.target.split()], [_bare(word) for word in text.split()]
    if not term.case_sensitive:
        wanted, words = [word.casefold() for word in wanted], [word.casefold() for word in words]
    return any(
        all(
            word.startswith(part) and len(word) - len(part) <= _ENDING_MAX
            for word, part in zip(words[start : start + len(wanted)], wanted, strict=True)
        )
        for start in range(len(words) - len(wanted) + 1)
    )


def occurs(term: str, text: str, language: str, *, case_sensitive: bool = False) -> bool:
    """Whether the words of a term stand next to each other in the text, each in any form of the language.

    With `case_sensitive`, each word begins with capitals as the term does. Scripts without spaces match literally.
    """
    if is_unspaced(term):
        return term in text if case_sensitive else term.casefold() in text.casefold()
    wanted, words = term.split(), text.split()
    if not wanted:
        return False
    return any(
        all(
            _matches(word, part, language, case_sensitive)
            for word, part in zip(words[start : start + len(wanted)], wanted, strict=True)
        )
        for start in range(len(words) - len(wanted) + 1)
    )


def _matches(word: str, part: str, language: str, case_sensitive: bool) -> bool:
    if case_sensitive and not _same_case(_bare(word), _bare(part)):
        return False
    return same_word(word) == same_word(part) or same_stem(word, part, language)


def _same_case(word: str, part: str) -> bool:
    common = min(len(word), len(part))
    return [character.isupper() for character in word[:common]] == [character.isupper() for character in part[:common]]


def _bare(word: str) -> str:
    return "".join(character for character in word if character.isalnum())
