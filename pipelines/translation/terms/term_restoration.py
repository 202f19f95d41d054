"""Put terms that must not be translated back where a model translated them.

The model's attention says which words of the translation come from the term. They are replaced only where that is
clear: a run of neighbouring words that depend on the term more than on everything else. Other terms are not put in by
force: they would need the right ending.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from pipelines.captions.texts.text import same_word
from pipelines.messages.translate import GlossaryTerm
from pipelines.translation.terms.glossary import is_held, stays
from pipelines.translation.usable import cleaned
from serve.tasks.translation.messages import Hypothesis

_CLEAR = 0.5
_AROUND = re.compile(r"(?P<before>\W*).*?(?P<after>\W*)", re.DOTALL)


def keep_terms(hypothesis: Hypothesis, source: str, terms: Sequence[GlossaryTerm], language: str) -> Hypothesis:
    """The hypothesis with every term of `terms` that stays and that it misses, where attention shows its place.

    `language` is that of the translation.
    """
    for term in terms:
        if stays(term) and not is_held(term, hypothesis.text, language):
            hypothesis = _with_term(hypothesis, source, term)
    return hypothesis


def _with_term(hypothesis: Hypothesis, source: str, term: GlossaryTerm) -> Hypothesis:
    words = cleaned(hypothesis.text).split()
    spoken = source.split()
    place = _place(term, spoken)
    if not place or len(hypothesis.attention) != len(words) or len(hypothesis.attention[0]) != len(spoken):
        return hypothesis
    owned = [index for index, row in enumerate(hypothesis.attention) if sum(row[each] for each in place) > _CLEAR]
    if not owned or owned[-1] - owned[0] >= len(owned):
        return hypothesis
    first, last = owned[0], owned[-1]
    before = _AROUND.fullmatch(words[first])
    after = _AROUND.fullmatch(words[last])
    inserted = term.target.split()
    inserted[0] = (before["before"] if before else "") + inserted[0]
    inserted[-1] += after["after"] if after else ""
    columns = list(itertools.islice(itertools.cycle(place), len(inserted)))
    rows = tuple(tuple(float(index == column) for index in range(len(spoken))) for column in columns)
    return replace(
        hypothesis,
        text=" ".join([*words[:first], *inserted, *words[last + 1 :]]),
        attention=(*hypothesis.attention[:first], *rows, *hypothesis.attention[last + 1 :]),
    )


def _place(term: GlossaryTerm, spoken: Sequence[str]) -> list[int]:
    """The indexes of the term's words in the source, where it stands there uninflected."""
    wanted = [same_word(word) for word in term.source.split()]
    bare = [same_word(word) for word in spoken]
    for start in range(len(bare) - len(wanted) + 1):
        if bare[start : start + len(wanted)] == wanted:
            return list(range(start, start + len(wanted)))
    return []
