"""Lanes: lines in different parts of the picture may be on screen at once, lines in one part never.

A sign stands above while somebody speaks below. What moves, cuts or judges lines does so lane by lane.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol, TypeVar

from pipelines.messages.lines import CaptionLine, Lane


class HasLane(Protocol):
    """A line, or what else has a span and a lane."""

    @property
    def start_ms(self) -> int: ...

    @property
    def end_ms(self) -> int: ...

    @property
    def lane(self) -> Lane: ...


Laned = TypeVar("Laned", bound=HasLane)


def by_lane(lines: Iterable[Laned]) -> list[list[Laned]]:
    """The lines of each lane that has any, in the order that they came in."""
    lanes: dict[Lane, list[Laned]] = {}
    for line in lines:
        lanes.setdefault(line.lane, []).append(line)
    return list(lanes.values())


def lane_by_lane(
    lines: Iterable[CaptionLine], change: Callable[[list[CaptionLine]], list[CaptionLine]]
) -> list[CaptionLine]:
    """The lines that `change` makes of those of each lane, all in order of time."""
    return sorted((line for lane in by_lane(lines) for line in change(lane)), key=in_time)


def in_time(line: CaptionLine) -> tuple[int, str]:
    """Sorts lines as the database and the editor do: by their start, those that start at once by their id."""
    return line.start_ms, line.id


def first_overlap(lines: Iterable[CaptionLine]) -> tuple[CaptionLine, CaptionLine] | None:
    """Two lines that are in one lane at once; None without any."""
    for lane in by_lane(sorted(lines, key=lambda line: line.start_ms)):
        for left, right in pairwise(lane):
            if left.end_ms > right.start_ms:
                return left, right
    return None


@dataclass(frozen=True, slots=True)
class Screen:
    """What is shown from `start_ms` up to `end_ms`: one line, or several in different parts of the picture."""

    start_ms: int
    end_ms: int
    lines: tuple[CaptionLine, ...]


def screens(lines: Sequence[CaptionLine]) -> list[Screen]:
    """The screens of lines in time order, each until something appears or goes."""
    changes = sorted({time for line in lines for time in (line.start_ms, line.end_ms)})
    shown: list[CaptionLine] = []
    waiting = list(reversed(lines))
    found: list[Screen] = []
    for start, end in pairwise(changes):
        shown = [line for line in shown if line.end_ms > start]
        while waiting and waiting[-1].start_ms <= start:
            shown.append(waiting.pop())
        if shown:
            found.append(Screen(start, end, tuple(shown)))
    return found


def one_at_a_time(lines: Sequence[CaptionLine]) -> list[CaptionLine]:
    """The lines for a form that shows one at a time: those of a screen are one, from the top down."""
    in_order = sorted(lines, key=in_time)
    if all(left.end_ms <= right.start_ms for left, right in pairwise(in_order)):
        return in_order
    return [_joined(screen) for screen in screens(in_order)]


def _joined(screen: Screen) -> CaptionLine:
    rows = sorted(screen.lines, key=lambda line: UPWARDS.index(line.lane), reverse=True)
    return replace(
        rows[0],
        start_ms=screen.start_ms,
        end_ms=screen.end_ms,
        text="\n".join(line.text for line in rows),
        words=tuple(word for line in rows for word in line.words) if all(line.words for line in rows) else (),
        place=rows[0].place if len(rows) == 1 else None,
        forced=any(line.forced for line in rows),
    )


UPWARDS = (Lane.BOTTOM, Lane.MIDDLE, Lane.TOP)


def speech(lines: Sequence[CaptionLine]) -> list[CaptionLine]:
    """The lines in time order, without those above others: what is said stands lowest, a sign above it is read."""
    kept: list[CaptionLine] = []
    for lane in UPWARDS:
        below = list(kept)
        kept += [line for line in lines if line.lane is lane and not _is_above(line, below)]
        kept.sort(key=lambda line: line.start_ms)
    return kept


def _is_above(line: CaptionLine, below: Sequence[CaptionLine]) -> bool:
    """Whether one of the lines below, which overlap none of each other, is on screen with it."""
    first = bisect_right(below, line.start_ms, key=lambda each: each.end_ms)
    return first < len(below) and below[first].start_ms < line.end_ms
