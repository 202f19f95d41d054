"""Which spans of time lie near one another, in one pass over both: one long span never makes the others slow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Span(Protocol):
    """Anything with a start and an end in milliseconds."""

    @property
    def start_ms(self) -> int: ...

    @property
    def end_ms(self) -> int: ...


Other = TypeVar("Other", bound=Span)


def near(ones: Sequence[Span], others: Sequence[Other], within_ms: int = 0) -> list[list[Other]]:
    """For each of `ones` those of `others` that begin and end at most `within_ms` away from it, by their starts.

    Both are in the order of their starts.
    """
    groups: list[list[Other]] = [[] for _ in ones]
    open_ones: list[int] = []
    open_others: list[Other] = []
    waiting = iter(range(len(ones)))
    index = next(waiting, None)
    for other in (*others, None):
        while index is not None and (other is None or ones[index].start_ms - within_ms <= other.start_ms):
            open_others = [each for each in open_others if each.end_ms >= ones[index].start_ms - within_ms]
            groups[index].extend(open_others)
            open_ones.append(index)
            index = next(waiting, None)
        if other is not None:
            open_ones = [each for each in open_ones if ones[each].end_ms + within_ms >= other.start_ms]
            for each in open_ones:
                groups[each].append(other)
            open_others.append(other)
    return groups
