"""Cuts a transcript into sections of 8 to 10 minutes that overlap by a tenth, and their claims into portions.

A model can write from a section, and from a portion, at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.messages.minutes import Claim, TextLine, TextType

SHORTEST_MS = 8 * 60_000
LONGEST_MS = 10 * 60_000
OVERLAP_MS = (SHORTEST_MS + LONGEST_MS) // 20
"""What two sections share: a sentence at the cut is whole in one of them."""

_SPEAKER_CHANGE = 10_000
"""A change of speaker is as good a cut as a pause of this many milliseconds."""
_SENTENCE_END = 1_000
_FINAL = tuple(".!?…。！？।؟")


MOST_CLAIMS = {TextType.MINUTES: 60, TextType.SHORT: 60, TextType.LONG: 30, TextType.BLOG: 30}
"""Claims of one portion. Long texts get a sentence or two for each claim, which fills an answer."""


@dataclass(frozen=True, slots=True)
class Section:
    """Lines `first` to before `end` of the transcript, of which those from `core` on are in no earlier section."""

    first: int
    core: int
    end: int

    @property
    def key(self) -> str:
        """Names the section among all ways to cut one transcript."""
        return f"{self.first:05}-{self.end:05}"

    @property
    def size(self) -> int:
        return self.end - self.first


def sections(lines: Sequence[TextLine], *, most_tokens: int | None = None) -> list[Section]:
    """The sections in order, each with at most `most_tokens` (an estimate) unless it is a single line."""
    found: list[Section] = []
    core = 0
    while core < len(lines):
        end = _end(lines, core)
        whole = Section(_overlap(lines, core), core, end)
        found += _fitting(lines, whole, most_tokens)
        core = end
    return found


def halves(lines: Sequence[TextLine], section: Section) -> list[Section]:
    """The section in two, cut at the best place near its middle; nothing for a single line.

    A single line that has only its overlap to give up loses that.
    """
    own = section.end - section.core
    if own < 2:
        return [Section(section.core, section.core, section.end)] if section.core > section.first else []
    around = range(section.core + max(1, own // 4), section.end - own // 4)
    middle = max(around or [section.core + 1], key=lambda at: _cut(lines, at))
    return [Section(section.first, section.core, middle), Section(middle, middle, section.end)]


def estimated_tokens(lines: Sequence[TextLine]) -> int:
    """Tokens of the lines in a prompt, with their numbers and names: an upper estimate for most languages."""
    return sum((len(line.text.encode()) + len((line.speaker or "").encode())) // 3 + 6 for line in lines)


def _fitting(lines: Sequence[TextLine], section: Section, most_tokens: int | None) -> list[Section]:
    if most_tokens is None or estimated_tokens(lines[section.first : section.end]) <= most_tokens:
        return [section]
    cut = halves(lines, section)
    return [each for half in cut for each in _fitting(lines, half, most_tokens)] if cut else [section]


def _end(lines: Sequence[TextLine], core: int) -> int:
    """Where the section from `core` on ends: at the best cut between 8 and 10 minutes, or with the transcript."""
    begin = lines[core].start_ms
    if lines[-1].end_ms - begin <= LONGEST_MS:
        return len(lines)
    candidates = [at for at in range(core + 1, len(lines)) if SHORTEST_MS <= lines[at].start_ms - begin <= LONGEST_MS]
    if candidates:
        return max(candidates, key=lambda at: _cut(lines, at))
    # A long silence, or one line of many minutes: cut before the first line that is too late.
    return next((at for at in range(core + 1, len(lines)) if lines[at].start_ms - begin > LONGEST_MS), len(lines))


def _cut(lines: Sequence[TextLine], at: int) -> int:
    """How good a cut before line `at` is, in milliseconds of pause."""
    before, after = lines[at - 1], lines[at]
    score = max(0, after.start_ms - before.end_ms)
    if before.speaker != after.speaker:
        score += _SPEAKER_CHANGE
    if before.text.rstrip().endswith(_FINAL):
        score += _SENTENCE_END
    return score


def _overlap(lines: Sequence[TextLine], core: int) -> int:
    earliest = lines[core].start_ms - OVERLAP_MS
    first = core
    while first > 0 and lines[first - 1].start_ms >= earliest:
        first -= 1
    return first


def portions(claims: Sequence[Claim], type: TextType, most_tokens: int | None) -> list[list[Claim]]:
    """The claims in order, in portions of about equal size. Without a token limit one portion holds them all."""
    if not claims:
        return []
    if most_tokens is None:
        return [list(claims)]
    needed = sum(len(claim.text.encode()) // 3 + 6 for claim in claims)
    # Claims differ in length: half of the limit leaves room for a portion of long ones.
    count = max(-(-len(claims) // MOST_CLAIMS[type]), -(-2 * needed // most_tokens))
    count = min(count, len(claims))
    return [list(claims[len(claims) * index // count : len(claims) * (index + 1) // count]) for index in range(count)]
