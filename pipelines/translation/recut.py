"""Cut the translation of a sentence group back into its cues.

Dynamic programming over the places where the target may be cut. A row costs what it holds of other cues by the model's
attention, what its end costs by the rules for ends of lines, what it exceeds of the reading speed and the rows of the
profile, and how far its length is from its cue's share of the source. Every cue gets words. Where the translation is
too short for that, neighbouring cues share one row. Nothing is reordered, so no row can shift to another cue.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.captions.texts.break_points import rows_needed
from pipelines.captions.texts.text import visible_length
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.translate import SourceLine
from pipelines.translation.attention import Shares
from pipelines.translation.speed import length_budget
from pipelines.translation.texts.boundaries import Unit, units_of

# Characters in the wrong cue, weighted by the attention they pay to other cues. A word of five letters wholly in the
# wrong cue costs 4, less than a row that ends with an article (11) and more than one that ends without a comma (5 - 2).
_MISPLACED = 0.8
_SHARE_WITH_ATTENTION = 0.12
_SHARE_ALONE = 0.45
_OVER_SPEED = 1.2
_OVER_ROWS = 3.0
_THIRD_ROW = 25.0
_MERGED = 40.0
_TOO_LONG_SHOWN = 20.0
# Flashing two letters where a whole cue was spoken is worse than sharing a row.
_STUB_LENGTH = 4
_STUB_SOURCE = 12
_STUB = 45.0
_SHARED_UNITS = 3
_SHARED_LENGTH = 10


@dataclass(frozen=True, slots=True)
class Row:
    """The words for the cues from `first` up to and without `after`. `text` is one row, not yet broken."""

    first: int
    after: int
    text: str


def recut(text: str, lines: Sequence[SourceLine], rules: CaptionRules, shares: Shares | None = None) -> list[Row]:
    """Rows that cover every cue once, in order, each with at least one word. `text` is not empty.

    `shares` is what `cue_shares` makes of the attention; without it the lengths of the cues decide.
    """
    units = units_of(text)
    if len(lines) == 1 or len(units) == 1:
        return [Row(0, len(lines), text.strip())]
    return _Cut(text, units, lines, rules, shares).rows()


class _Cut:
    def __init__(
        self, text: str, units: list[Unit], lines: Sequence[SourceLine], rules: CaptionRules, shares: Shares | None
    ) -> None:
        self._text = text
        self._units = units
        self._lines = lines
        self._rules = rules
        self._lengths = [visible_length(text[unit.start : unit.stop]) for unit in units]
        self._source = [max(1, visible_length(line.text)) for line in lines]
        self._budgets = {
            (cue, after): length_budget(lines[after - 1].end_ms - lines[cue].start_ms, rules)
            for cue in range(len(lines))
            for after in range(cue + 1, len(lines) + 1)
        }
        # Length before each unit with the spaces before it, as a row that starts there has none, and up to its end.
        self._before, self._until = [0], [self._lengths[0]]
        for left, right, length in zip(units, units[1:], self._lengths[1:], strict=False):
            self._before.append(self._until[-1] + visible_length(text[left.stop : right.start]))
            self._until.append(self._before[-1] + length)
        # For each cue, the characters up to each unit, weighted with the cue's share of the unit.
        self._own = [_sums(self._lengths, shares, cue) for cue in range(len(lines))]
        self._all = [sum(own[index] for own in self._own) for index in range(len(units) + 1)]
        self._scale = self._until[-1] / sum(self._source)
        self._share_weight = _SHARE_ALONE if shares is None else _SHARE_WITH_ATTENTION

    def rows(self) -> list[Row]:
        count, cues = len(self._units), len(self._lines)
        # Cues share a row only in short translations. Leaving that out elsewhere halves the work.
        may_share = count < _SHARED_UNITS * cues or self._until[-1] < _SHARED_LENGTH * cues
        best: dict[tuple[int, int], tuple[float, tuple[int, int]]] = {(0, 0): (0.0, (0, 0))}
        for cue in range(cues):
            for start in range(count):
                known = best.get((start, cue))
                if known is None:
                    continue
                for after in range(cue + 1, (cues if may_share else cue + 1) + 1):
                    stops = (count,) if after == cues else range(start + 1, count)
                    for stop in stops:
                        cost = known[0] + self._cost(start, stop, cue, after)
                        if (stop, after) not in best or cost < best[stop, after][0]:
                            best[stop, after] = (cost, (start, cue))
        rows: list[Row] = []
        state = (count, cues)
        while state != (0, 0):
            start, cue = best[state][1]
            stop, after = state
            text = self._text[self._units[start].start : self._units[stop - 1].stop]
            rows.append(Row(cue, after, text))
            state = (start, cue)
        return rows[::-1]

    def _cost(self, start: int, stop: int, cue: int, after: int) -> float:
        """What a row of the units from `start` up to `stop` costs for the cues from `cue` up to `after`."""
        length = self._until[stop - 1] - self._before[start]
        shown_ms = self._lines[after - 1].end_ms - self._lines[cue].start_ms
        source = self._source[cue] if after - cue == 1 else sum(self._source[cue:after])
        inside = self._own[cue][stop] - self._own[cue][start]
        for each in range(cue + 1, after):
            inside += self._own[each][stop] - self._own[each][start]
        cost = _MISPLACED * (self._all[stop] - self._all[start] - inside)
        if stop < len(self._units):
            cost += self._units[stop - 1].cost
        cost += self._share_weight * abs(length - source * self._scale)
        cost += _OVER_SPEED * max(0, length - self._budgets[cue, after])
        cost += self._over_rows(start, stop, length)
        if length < _STUB_LENGTH and source >= _STUB_SOURCE and after - cue < len(self._lines):
            cost += _STUB
        if after - cue > 1:
            cost += _MERGED * (after - cue - 1)
            cost += _TOO_LONG_SHOWN if shown_ms > self._rules.max_ms else 0.0
        return cost

    def _over_rows(self, start: int, stop: int, length: int) -> float:
        if length <= self._rules.max_row:
            return 0.0
        if length > self._rules.max_length:
            return _THIRD_ROW + _OVER_ROWS * (length - self._rules.max_length)
        rows = rows_needed(self._lengths[start:stop], self._rules.max_row)
        return _THIRD_ROW if rows > self._rules.max_rows else 0.0


def _sums(lengths: Sequence[int], shares: Shares | None, cue: int) -> list[float]:
    weights = [0.0] * len(lengths) if shares is None else [share[cue] for share in shares]
    return [0.0, *itertools.accumulate(length * weight for length, weight in zip(lengths, weights, strict=True))]
