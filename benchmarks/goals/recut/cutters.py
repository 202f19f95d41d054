"""Ways to cut a translated sentence back into the cues of its source, and how well each does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.measure.models.translation.cues import Sentence
from pipelines.messages.caption_rules import rules_for
from pipelines.translation.attention import cue_shares
from pipelines.translation.recut import recut
from pipelines.translation.texts.boundaries import units_of

Pieces = list[str]
Cutter = Callable[[Sentence, str, Sequence[Sequence[float]]], Pieces]


def in_own_cue(sentence: Sentence, pieces: Sequence[str]) -> tuple[int, int]:
    """How many target words are in the cue of the source word they are linked to, and how many there are."""
    cues = [cue for cue, piece in enumerate(pieces) for _ in piece.split()]
    return sum(cue == owner for cue, owner in zip(cues, sentence.owners, strict=True)), len(sentence.owners)


def with_attention(sentence: Sentence, text: str, attention: Sequence[Sequence[float]]) -> Pieces:
    source = " ".join(line.text for line in sentence.lines)
    shares = cue_shares(source, [line.text for line in sentence.lines], text, units_of(text), attention)
    return _pieces(sentence, text, shares)


def without_attention(sentence: Sentence, text: str, _: Sequence[Sequence[float]]) -> Pieces:
    return _pieces(sentence, text, None)


def proportional(sentence: Sentence, text: str, _: Sequence[Sequence[float]]) -> Pieces:
    """At the word boundary nearest to each cue's share of the source's characters."""
    words = text.split()
    ends = [len(" ".join(words[: count + 1])) for count in range(len(words))]
    whole = sum(len(line.text) for line in sentence.lines)
    pieces: Pieces = []
    start = spoken = 0
    for index, line in enumerate(sentence.lines[:-1]):
        spoken += len(line.text)
        left = len(sentence.lines) - 1 - index
        goal = ends[-1] * spoken / whole
        stop = min(range(start + 1, max(start + 2, len(words) - left + 1)), key=lambda stop: abs(ends[stop - 1] - goal))
        pieces.append(" ".join(words[start:stop]))
        start = stop
    return [*pieces, " ".join(words[start:])]


def _pieces(sentence: Sentence, text: str, shares: tuple[tuple[float, ...], ...] | None) -> Pieces:
    pieces: Pieces = []
    for row in recut(text, sentence.lines, rules_for(sentence.phrase.target_language), shares):
        pieces += [row.text, *[""] * (row.after - row.first - 1)]
    return pieces
