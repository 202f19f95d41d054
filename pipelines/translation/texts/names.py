"""Words that a translation keeps: names of people, addresses, and codes such as `H100` or `COVID-19`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.captions.texts.text import same_word
from pipelines.translation.texts.scripts import base_language, script_of

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+[^\s.,;:!?)]|[\w.+-]+@[\w-]+\.[\w.-]*\w|[@#]\w{2,}")
_CODE = re.compile(r"\b(?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Za-z][\w]*(?:-\w+)*\b")
_CAPITAL = re.compile(r"[^\W\d_a-zà-öø-ÿ][^\W\d_]+(?:[-'’][^\W\d_]+)*")
_TITLES = frozenset(
    ("mr", "mrs", "ms", "dr", "prof", "herr", "frau", "señor", "señora", "sr", "sra", "monsieur", "madame", "hr")
)
# These write every noun with a capital.
_CAPITAL_NOUNS = frozenset({"de", "lb"})
_PREFIX = 3


def names_in(text: str, language: str, speakers: Iterable[str] = ()) -> list[tuple[str, ...]]:
    """Names as alternatives: a translation keeps one when it holds one of its words.

    People's names are recognised as speakers of the file, after a title, and as two capitalised words in a row inside a
    sentence. A single capitalised word is not: countries, months and languages have a name in every language.
    """
    found: list[tuple[str, ...]] = [(match,) for match in _ADDRESS.findall(text)]
    found.extend((match,) for match in _CODE.findall(_ADDRESS.sub(" ", text)))
    words = text.split()
    known = {part.casefold() for name in speakers for part in name.split()}
    run: list[str] = []
    for index, word in enumerate(words):
        bare = word.strip("\"'“”„‘’«»()[]¿¡.,;:!?…")
        first = index == 0 or words[index - 1][-1:] in ".!?…:"
        titled = index > 0 and same_word(words[index - 1]) in _TITLES
        capital = _CAPITAL.fullmatch(bare) is not None and not bare.isupper()
        if capital and (titled or bare.casefold() in known):
            found.append((bare,))
        run = [*run, bare] if capital and not (first and not titled) else []
        if len(run) == 2 and base_language(language) not in _CAPITAL_NOUNS:
            found.append(tuple(run))
    return list(dict.fromkeys(found))


def lost_names(source: str, target: str, language: str, speakers: Iterable[str] = ()) -> list[tuple[str, ...]]:
    """The names of the source that the target does not hold, also not inflected.

    Between two scripts only addresses and codes are compared: names are written differently there.
    """
    folded = {same_word(word) for word in re.split(r"[\s'’-]+", target)}
    whole = target.casefold()
    same_script = script_of(source) == script_of(target)
    lost = []
    for name in names_in(source, language, speakers):
        literal = any(not word.isalpha() and not set("-'’") & set(word) for word in name) or _CODE.fullmatch(name[0])
        if literal:
            kept = any(word.casefold() in whole for word in name)
        else:
            kept = not same_script or any(
                _is_form(same_word(word), folded) or word.casefold() in whole for word in name
            )
        if not kept:
            lost.append(name)
    return lost


def _is_form(name: str, words: set[str]) -> bool:
    """Whether one of the words may be the name with another ending: `Jóns`, `Önnu` only by its first letters."""
    head = name[: max(_PREFIX, len(name) - 2)]
    return any(word.startswith(head) for word in words)
