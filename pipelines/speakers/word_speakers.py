"""Who speaks each word: the turn it lies in, or the nearest one. Turns of two people may overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pipelines.captions.spans import near
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
    """The speaker of each word. A word far from every turn has the speaker of the word before it,
    the first words that of the first word with one. None everywhere without turns.

    Where words lie in or across two turns, the speaker changes at the end of a sentence, or the longer pause.
    """
    # Lines of two lanes overlap, so their words are not in the order of their starts.
    order = sorted(range(len(words)), key=lambda index: words[index].start_ms)
    in_order = sorted(turns, key=lambda turn: turn.start_ms)
    claims = [_Claim(None)] * len(words)
    for index, nearby in zip(order, near([words[each] for each in order], in_order, NEAR_MS), strict=True):
        claims[index] = _claim(words[index], nearby)
    speakers = [claim.best for claim in claims]
    for is_clear, run in groupby(range(len(words)), key=lambda index: claims[index].is_clear):
        unclear = [index for index in run if not is_clear and 0 < index < len(words) - 1]
        if unclear:
            _settle(words, speakers, unclear, claims)
    known = next((speaker for speaker in speakers if speaker is not None), None)
    for index, speaker in enumerate(speakers):
        known = speakers[index] = speaker or known
    return speakers


def _claim(word: CaptionWord, turns: Sequence[Turn]) -> _Claim:
    shares: dict[str, int] = {}
    nearest: tuple[int, str] | None = None
    for turn in turns:
        shared = min(turn.end_ms, word.end_ms) - max(turn.start_ms, word.start_ms)
        if shared > 0:
            shares[turn.speaker] = shares.get(turn.speaker, 0) + shared
        elif nearest is None or -shared < nearest[0]:
            nearest = (-shared, turn.speaker)
    if not shares:
        return _Claim(nearest[1] if nearest else None)
    best = max(shares, key=lambda speaker: shares[speaker])
    is_clear = len(shares) == 1 or shares[best] >= _CLEAR * sum(shares.values())
    return _Claim(best, frozenset(shares) - {best}, is_clear)


def _settle(
    words: Sequence[CaptionWord], speakers: list[str | None], unclear: Sequence[int], claims: Sequence[_Claim]
) -> None:
    """Give speakers to words that follow one another in or across turns."""
    before, after = speakers[unclear[0] - 1], speakers[unclear[-1] + 1]
    involved = {who for index in unclear for who in (claims[index].best, *claims[index].others)}
    if not {before, after} <= involved:
        return
    if before == after:
        new_speaker_at = unclear[-1] + 1
    else:
        ends = [
            at
            for at in (*unclear, unclear[-1] + 1)
            if break_after(words[at - 1].text, words[at].text) is Break.SENTENCE
        ]
        if ends:
            new_speaker_at = max(ends, key=lambda at: _pause(words, at))
        elif len(unclear) == 1 and _pause(words, unclear[0]) > _pause(words, unclear[0] + 1):
            new_speaker_at = unclear[0]
        else:
            return
    for index in unclear:
        speakers[index] = before if index < new_speaker_at else after


def _pause(words: Sequence[CaptionWord], at: int) -> int:
    """The silence before a word."""
    return words[at].start_ms - words[at - 1].end_ms
