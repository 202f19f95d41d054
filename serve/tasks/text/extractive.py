"""The offline engine: it selects sentences of the transcript and writes none of its own. It works in every language.

It proofreads by rules that need no knowledge of the language.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from serve.core.messages import EngineInfo
from serve.core.text.words import is_unspaced
from serve.tasks.text.cues import cue
from serve.tasks.text.engine import ItemOutcome
from serve.tasks.text.messages import (
    Claim,
    ClaimKind,
    ComposedText,
    ComposeItem,
    PartKind,
    ProofreadItem,
    SectionClaims,
    SectionItem,
    TextItem,
    WrittenPart,
)
from serve.tasks.text.proofreading_rules import proofread
from serve.tasks.text.ranking import best, keywords, rank
from serve.tasks.text.sentences import SpokenSentence, sentences

POINTS = {"minutes": 4, "short": 5, "long": 12, "blog": 7}
"""Sentences of a section of about nine minutes that go into each type of text."""
DECISIONS = 6
"""Sentences of a section that sound like decisions or action items, for minutes."""
SHORT_SENTENCES = 5
PARAGRAPH_SENTENCES = 4
BULLETS = 24
"""Key points of minutes at most, however long the meeting is."""


class ExtractiveEngine:
    """Pure computation: a section takes some milliseconds."""

    parallel = 1
    spare_workers = 0
    gains_from_batches = False
    has_deadline = False

    def __init__(self, info: EngineInfo) -> None:
        self.info = info

    def batch_key(self, item: TextItem) -> Hashable:
        return None

    def run(self, batch: Sequence[TextItem]) -> list[ItemOutcome]:
        return [self._outcome(item) for item in batch]

    def rest(self) -> None:
        """Nothing to free."""

    def close(self) -> None:
        """Nothing to free."""

    def _outcome(self, item: TextItem) -> ItemOutcome:
        if isinstance(item, ProofreadItem):
            return proofread(item)
        return self._claims(item) if isinstance(item, SectionItem) else self._text(item)

    def _claims(self, item: SectionItem) -> SectionClaims:
        spoken = sentences(item.lines)
        texts = [sentence.text for sentence in spoken]
        weights = rank(texts)
        cues = [cue(sentence.text, sentence.speaker, item.source.code) for sentence in spoken]
        if item.type != "minutes":
            chosen = best(texts, weights, POINTS[item.type])
            return SectionClaims(item.index, tuple(_claim(spoken[at], weights[at]) for at in chosen))
        decisive = [at for at, each in enumerate(cues) if each.kind is not ClaimKind.POINT][:DECISIONS]
        others = [0.0 if at in decisive else weight for at, weight in enumerate(weights)]
        chosen = sorted({*decisive, *best(texts, others, POINTS[item.type])})
        claims = (
            Claim(spoken[at].text, spoken[at].lines, cues[at].kind, cues[at].owner, cues[at].due, weights[at])
            if at in decisive
            else _claim(spoken[at], weights[at])
            for at in chosen
        )
        return SectionClaims(item.index, tuple(claims))

    def _text(self, item: ComposeItem) -> ComposedText:
        texts = [claim.text for claim in item.claims]
        weights = [claim.weight or 1.0 for claim in item.claims]
        if item.type == "short":
            parts = [_part(at, texts, 1) for at in best(texts, weights, SHORT_SENTENCES)]
        elif item.type == "minutes":
            chosen = best(texts, weights, BULLETS)
            parts = [WrittenPart(PartKind.BULLET, texts[at], (at + 1,)) for at in chosen]
        else:
            parts = list(_paragraphs(texts, weights, with_opening=item.type == "blog"))
        return ComposedText(item.index, tuple(parts))


def _claim(sentence: SpokenSentence, weight: float) -> Claim:
    return Claim(sentence.text, sentence.lines, weight=weight)


def _part(at: int, texts: Sequence[str], paragraph: int) -> WrittenPart:
    return WrittenPart(PartKind.TEXT, texts[at], (at + 1,), paragraph)


def _paragraphs(texts: Sequence[str], weights: Sequence[float], *, with_opening: bool) -> Iterator[WrittenPart]:
    """The claims in order, in paragraphs below headings; a blog opens with the most central sentence."""
    chosen = best(texts, weights, len(texts))
    paragraph = 1
    if with_opening and len(chosen) > PARAGRAPH_SENTENCES:
        first = max(chosen, key=lambda at: weights[at])
        yield _part(first, texts, paragraph)
        chosen.remove(first)
    for begin in range(0, len(chosen), PARAGRAPH_SENTENCES):
        paragraph += 1
        group = chosen[begin : begin + PARAGRAPH_SENTENCES]
        is_alone = len(chosen) <= PARAGRAPH_SENTENCES
        if not is_alone and (heading := _heading([texts[at] for at in group], texts)):
            yield WrittenPart(PartKind.HEADING, heading, tuple(at + 1 for at in group), paragraph)
        for at in group:
            yield _part(at, texts, paragraph)


def _heading(group: Sequence[str], texts: Sequence[str]) -> str:
    """Up to three words that tell the paragraph from the others; nothing where words cannot be told apart."""
    if any(map(is_unspaced, group)):
        return ""
    found = keywords(group, texts)
    return ", ".join([found[0][:1].upper() + found[0][1:], *found[1:]]) if found else ""
