"""Finds the words of a script in what a speech model heard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pipelines.captions.texts.text import join_words, same_word, word_units
from pipelines.captions.texts.word_times import spread, spread_text
from pipelines.messages.lines import CaptionWord, Origin

FASTEST_MS = 40
"""Nobody speaks a letter in less: words in a pause with less room than this are not spoken."""
FEW_WORDS = 3
"""So few words may be missed or misheard altogether, and may also stand in two texts by chance."""
LEAST_LIKENESS = 0.4
"""Texts about different things share about a third of their letters in the same order."""
_CERTAIN = 1.0


@dataclass(frozen=True, slots=True)
class _Block:
    """Words that are the same: the index of the first that was heard, of the first of the script, and their number."""

    heard: int
    written: int
    size: int

    @property
    def heard_end(self) -> int:
        return self.heard + self.size

    @property
    def written_end(self) -> int:
        return self.written + self.size


@dataclass(frozen=True, slots=True)
class Match:
    """The words of the script that have a place, by their index there, and the passages that have none.

    `same` counts the words that were heard as they are written. A word that was heard differently has no confidence:
    its time is an estimate. Words have the speakers of what was heard.
    """

    words: dict[int, CaptionWord]
    unspoken: tuple[str, ...]
    same: int


@dataclass(frozen=True, slots=True)
class _Passage:
    """Words of the script from `first` on, with their places if they are spoken."""

    first: int
    texts: Sequence[str]
    words: Sequence[CaptionWord] = ()
    same: _Block | None = None


def match(script: Sequence[str], heard: Sequence[CaptionWord]) -> Match:
    """`script` are units of `word_units`, in order. Takes well under a second for the words of a film."""
    passages = list(_passages(script, [unit for word in heard for unit in _units(word)]))
    kept = [replace(each, words=()) if _is_chance(passages, at) else each for at, each in enumerate(passages)]
    words = {at: word for each in kept for at, word in enumerate(each.words, each.first)}
    unspoken = [
        join_words([text for each in run for text in each.texts])
        for is_spoken, run in groupby(kept, key=lambda each: bool(each.words))
        if not is_spoken
    ]
    same = sum(len(passage.words) for passage in kept if passage.same)
    return Match(words, tuple(unspoken), same)


def _passages(script: Sequence[str], spoken: Sequence[CaptionWord]) -> Iterator[_Passage]:
    """Passages that were heard as written, and others, in turn."""
    # Few callers compare; difflib takes 15 s for the words of a film.
    from rapidfuzz.distance import Levenshtein

    written = [same_word(unit) for unit in script]
    codes = Levenshtein.opcodes([same_word(unit.text) for unit in spoken], written)
    at = first = 0
    for block in _gathered([_Block(each.a, each.b, each.size) for each in codes.as_matching_blocks()], written):
        if texts := script[first : block.written]:
            yield _Passage(first, texts, _placed(texts, spoken, at, block.heard))
        if texts := script[block.written : block.written_end]:
            same = [
                CaptionWord(unit.start_ms, unit.end_ms, text, Origin.HUMAN, _certain(unit), unit.speaker)
                for unit, text in zip(spoken[block.heard : block.heard_end], texts, strict=True)
            ]
            yield _Passage(block.written, texts, same, block)
        at, first = block.heard_end, block.written_end


def _gathered(blocks: Sequence[_Block], written: Sequence[str]) -> list[_Block]:
    """The blocks, with a few words that might as well belong to the block after them put there.

    Of `the` in a heading that nobody speaks and `the` of the sentence after it, the comparison takes either.
    """
    gathered: list[_Block] = []
    for block in blocks:
        before = gathered[-1] if gathered else None
        if before is not None and block.size and before.heard_end == block.heard and before.size <= FEW_WORDS:
            is_apart = before.written > (gathered[-2].written_end if len(gathered) > 1 else 0)
            moved = block.written - before.size
            if is_apart and written[moved : block.written] == written[before.written : before.written_end]:
                gathered[-1] = _Block(before.heard, moved, before.size + block.size)
                continue
        gathered.append(block)
    return gathered


def _placed(texts: Sequence[str], spoken: Sequence[CaptionWord], at: int, until: int) -> Sequence[CaptionWord]:
    """Estimates for words of which others were heard, or none; empty where they are not spoken."""
    from rapidfuzz.distance import Levenshtein

    others = spoken[at:until]
    if others:
        start, end, speaker = others[0].start_ms, others[-1].end_ms, others[0].speaker
        likeness = Levenshtein.normalized_similarity(
            join_words([unit.text for unit in others]).casefold(), join_words(texts).casefold()
        )
        if likeness < LEAST_LIKENESS and len(texts) + len(others) > 2 * FEW_WORDS:
            return ()
    elif 0 < at < len(spoken) and len(texts) <= FEW_WORDS:
        start, end, speaker = spoken[at - 1].end_ms, spoken[at].start_ms, spoken[at - 1].speaker
        if end - start < FASTEST_MS * sum(map(len, texts)):
            return ()
    else:
        # Before the first word and after the last one is silence or music, and no model misses a whole passage.
        return ()
    return [replace(word, speaker=speaker) for word in spread(texts, start, end, Origin.HUMAN)]


def _is_chance(passages: Sequence[_Passage], at: int) -> bool:
    """Whether a few common words stand alone: beside words that nobody speaks, and far from what else was heard."""
    block = passages[at].same
    if block is None or block.size > FEW_WORDS or any(side.words for side in passages[max(0, at - 1) : at + 2 : 2]):
        return False
    before = next((each.same for each in reversed(passages[:at]) if each.same), None)
    after = next((each.same for each in passages[at + 1 :] if each.same), None)
    is_near = (before is not None and block.heard - before.heard_end <= FEW_WORDS) or (
        after is not None and after.heard - block.heard_end <= FEW_WORDS
    )
    return len(passages) > 1 and not is_near


def _units(word: CaptionWord) -> Sequence[CaptionWord]:
    units = word_units(word.text)
    if len(units) == 1:
        return [word]
    parts = spread_text(word.text, word.start_ms, word.end_ms, word.origin)
    return [replace(part, confidence=word.confidence, speaker=word.speaker) for part in parts]


def _certain(unit: CaptionWord) -> float | None:
    """A person wrote the word, and its time is measured if that of the heard word is."""
    return _CERTAIN if unit.is_measured else None
