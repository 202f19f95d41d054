"""Who speaks each word: the turn it lies in, or the nearest one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.captions.texts.break_points import Break, break_after
from pipelines.messages.lines import CaptionWord
from pipelines.messages.speakers import Turn

NEAR_MS = 500
"""A word outside every turn belongs to a turn this near: word times are up to 0.4 s early after a pause."""
_CLEAR = 0.75
"""A word with this share of its time in one turn is that speaker's, wherever the sentence ends."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """`best` is who has most of the word; `others` have a part of it. It is `clear` where the part is small."""

    best: str | None
    others: frozenset[str] = frozenset()
    is_clear: bool = True


def speakers_of(words: Sequence[CaptionWord], turns: Sequence[Turn]) -> list[str | None]:
    """The speaker of each word, both in time order. A word far from every turn has the speaker of the word before it,
    the first words that of the first word with one. None everywhere without turns.

    Where a word lies across two turns, the speaker changes at the end of a sentence or the longer pause beside it.
    """
    ends = [turn.end_ms for turn in turns]
    claims = [_claim(word, turns, ends) for word in words]
    speakers = [claim.best for claim in claims]
    for index, claim in enumerate(claims):
        if not claim.is_clear and 0 < index < len(words) - 1:
            speakers[index] = _settled(words, speakers, index, claim)
    known = next((speaker for speaker in speakers if speaker is not None), None)
    for index, speaker in enumerate(speakers):
        known = speakers[index] = speaker or known
    return speakers


def _claim(word: CaptionWord, turns: Sequence[Turn], ends: Sequence[int]) -> _Claim:
    first = bisect_left(ends, word.start_ms - NEAR_MS)
    shares: dict[str, int] = {}
    near: tuple[int, str] | None = None
    for turn in turns[first:]:
        if turn.start_ms > word.end_ms + NEAR_MS:
            break
        shared = min(turn.end_ms, word.end_ms) - max(turn.start_ms, word.start_ms)
        if shared > 0:
            shares[turn.speaker] = shares.get(turn.speaker, 0) + shared
        elif near is None or -shared < near[0]:
            near = (-shared, turn.speaker)
    if not shares:
        return _Claim(near[1] if near else None)
    best = max(shares, key=lambda speaker: shares[speaker])
    is_clear = len(shares) == 1 or shares[best] >= _CLEAR * sum(shares.values())
    return _Claim(best, frozenset(shares) - {best}, is_clear)


def _settled(words: Sequence[CaptionWord], speakers: Sequence[str | None], index: int, claim: _Claim) -> str | None:
    """The speaker of a word that lies across turns."""
    before, after = speakers[index - 1], speakers[index + 1]
    involved = {claim.best, *claim.others}
    if before == after and before in involved:
        return before
    if before not in involved or after not in involved:
        return claim.best
    word = words[index]
    if break_after(words[index - 1].text, word.text) is Break.SENTENCE:
        return after
    if break_after(word.text, words[index + 1].text) is Break.SENTENCE:
        return before
    pause = word.start_ms - words[index - 1].end_ms
    return after if pause > words[index + 1].start_ms - word.end_ms else claim.best
