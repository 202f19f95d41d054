"""Made subtitles with a known translation: which cue each word of the translation belongs to is known by word links."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.captions.texts.break_points import Break, break_after
from pipelines.messages.translate import SourceLine
from serve.testing.tiny_models.phrases import Phrase, phrases_between

_READ_PER_S = 15
_MIN_MS = 1_000
_GAP_MS = 100
_SCENE_MS = 3_000
_SCENE_EVERY = 12
_TWO_CUES = 6
_THREE_CUES = 12
_LEANING = 2.0


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the material. `cues` are the words of each source cue; `owners` the cue of each target word."""

    phrase: Phrase
    lines: tuple[SourceLine, ...]
    owners: tuple[int, ...]

    @property
    def best_cut(self) -> list[str]:
        """The target cut so that the most words are in their own cue: the reference subtitles."""
        words = self.phrase.target.split()
        cuts = best_cut(self.owners, len(self.lines))
        return [" ".join(words[start:stop]) for start, stop in cuts]


def material(source_language: str, target_language: str, sentences: int, seed: int = 1) -> list[Sentence]:
    """Sentences of the phrase book in random order, cut into one to three cues, at 15 characters a second."""
    book = phrases_between(source_language, target_language)
    chance = random.Random(seed)
    made: list[Sentence] = []
    start = 0
    for number in range(sentences):
        phrase = chance.choice(book)
        lines = []
        owners: dict[int, int] = {}
        for cue, (first, after) in enumerate(_cues(phrase.source.split())):
            text = " ".join(phrase.source.split()[first:after])
            ms = max(_MIN_MS, len(text) * 1000 // _READ_PER_S)
            lines.append(SourceLine(id=f"{number}-{cue}", start_ms=start, end_ms=start + ms, text=text))
            start += ms + _GAP_MS
            owners.update(dict.fromkeys(range(first, after), cue))
        if number % _SCENE_EVERY == _SCENE_EVERY - 1:
            start += _SCENE_MS
        made.append(Sentence(phrase, tuple(lines), _owners(phrase, owners)))
    return made


def best_cut(owners: Sequence[int], cues: int) -> list[tuple[int, int]]:
    """Spans of words, one for each cue and none empty, that put the most words into the cue that owns them."""
    count = len(owners)
    best: dict[tuple[int, int], tuple[int, list[tuple[int, int]]]] = {(0, 0): (0, [])}
    for cue in range(cues):
        for start in range(count):
            if (cue, start) not in best:
                continue
            score, spans = best[cue, start]
            stops = range(start + 1, count + 1) if cue < cues - 1 else (count,)
            for stop in stops:
                total = score + sum(owner == cue for owner in owners[start:stop])
                if (cue + 1, stop) not in best or total > best[cue + 1, stop][0]:
                    best[cue + 1, stop] = (total, [*spans, (start, stop)])
    return best[cues, count][1]


def _owners(phrase: Phrase, cue_of: dict[int, int]) -> tuple[int, ...]:
    """The cue of each target word: that of the source word it is linked to, else that of the word before."""
    owners: list[int] = []
    for word in range(len(phrase.target.split())):
        linked = [cue_of[source] for source, target in phrase.links if target == word]
        owners.append(min(linked) if linked else owners[-1] if owners else 0)
    return tuple(owners)


def _cues(words: list[str]) -> list[tuple[int, int]]:
    """Where a person would cut: balanced, and not after an article or preposition."""
    cues = 1 if len(words) < _TWO_CUES else 2 if len(words) < _THREE_CUES else 3
    spans = []
    start = 0
    for cue in range(cues, 1, -1):
        goal = start + (len(words) - start) / cue
        stop = min(
            range(start + 1, len(words) - cue + 2),
            key=lambda stop: abs(stop - goal) + _LEANING * (break_after(words[stop - 1], words[stop]) is Break.LEANING),
        )
        spans.append((start, stop))
        start = stop
    return [*spans, (start, len(words))]
